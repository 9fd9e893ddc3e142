# cmake -DPROGRAM=… -P expect_race.cmake
#
# Passes if the thread sanitizer reports a data race in the planted stage and ends the program with its own exit
# code. Its options are set here, so that a suppression in the caller's environment cannot hide the race.
set(ENV{TSAN_OPTIONS} "exitcode=66 suppressions=")
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
message("${text}")
if(NOT code EQUAL 66)
    message(FATAL_ERROR "exit code ${code}, expected 66: the race was not reported")
endif()
if(NOT text MATCHES "ThreadSanitizer: data race" OR NOT text MATCHES "planted_race_stage")
    message(FATAL_ERROR "no data race reported in planted_race_stage")
endif()
