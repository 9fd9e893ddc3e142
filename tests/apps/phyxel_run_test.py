# SPDX-License-Identifier: MIT
"""phyxel run: the same bytes for any number of threads and however often it is stopped, and one clear line for
whatever goes wrong.

Run as: phyxel_run_test.py PATH_OF_THE_COMMAND
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from command_support import BUSY_SCENE, COMMAND, SMALL_SCENE, CommandTest, phyxel, temporary_folder

LAST_FRAME = 20


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen([COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen):
    """Until the file is there or the process ends."""
    end = time.monotonic() + 60
    while not path.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.0005)


# Takes long enough to be looked at, and can be made to explode.
WEAKLY_COMPRESSIBLE = [argument for body in ["puddle", "drop"]
                       for argument in ["--set", f'bodies.{body}.solver={{ "type": "wcsph" }}']]


class RunTest(CommandTest):
    """The small scene, and a run of it that was never stopped."""

    @classmethod
    def setUpClass(cls):
        if RunTest.shared is None:
            RunTest.shared = temporary_folder()
            unittest.addModuleCleanup(RunTest.shared.cleanup)
            Path(RunTest.shared.name, "small.json").write_text(SMALL_SCENE)
            done = phyxel("run", "small.json", "-o", "reference", "--quiet", cwd=RunTest.shared.name)
            assert done.returncode == 0, done.stderr
        cls.reference = Path(RunTest.shared.name) / "reference"

    shared = None

    def setUp(self):
        super().setUp()
        self.write("small.json", SMALL_SCENE)
        self.run_folder = self.folder / "out"

    def run_small(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return self.phyxel("run", "small.json", "-o", "out", *arguments, **options)

    def assert_same_as_reference(self):
        self.assert_same_run(self.run_folder, self.reference)


class Run(RunTest):
    def test_what_is_said_and_what_is_written(self):
        done = self.run_small()
        self.assert_done(done, None)
        self.assertRegex(done.stdout, r"\Aout: finished: 21 frames in [\d.]+ m?s\nnext: phyxel render out\n\Z")
        lines = done.stderr.splitlines()
        self.assertRegex(lines[0], r"\Aphyxel: small: \d+ particles, 21 frames, about [\d,]+ steps?; needs about "
                                   r".* of memory, .* on disk, .*; into out\Z")
        for line in lines[1:]:
            self.assertRegex(line, r"\Aphyxel: frame \d+ of 20, .* s, \d+ particles, [\d,]+ steps?(, .* s/s, .* left)?\Z")
        self.assertEqual(sorted(path.name for path in self.run_folder.iterdir()),
                         ["checkpoints", "frames", "log.txt", "manifest.json", "probes.csv", "stats.csv"])
        self.assertEqual(sorted(path.name for path in (self.run_folder / "frames").iterdir()),
                         [f"{body}_{frame:06}.ply" for body in ["drop", "puddle"] for frame in range(LAST_FRAME + 1)])

    def test_quiet_says_nothing(self):
        done = self.run_small("--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_the_log_has_every_line_with_its_time(self):
        self.run_small()
        lines = (self.run_folder / "log.txt").read_text().splitlines()
        for line in lines:
            self.assertRegex(line, r"\A\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} ")
        self.assertIn("small: ", lines[0])
        self.assertRegex(lines[-2], r" state at frame 20: [0-9a-f]{16}\Z")
        self.assertIn("out: finished: 21 frames", lines[-1])
        self.run_small("--resume")
        self.assertEqual((self.run_folder / "log.txt").read_text().splitlines()[:len(lines)], lines)

    def test_the_manifest_holds_what_decides_the_run_and_nothing_else(self):
        manifest = json.loads((self.reference / "manifest.json").read_text())
        self.assertEqual(list(manifest), ["format", "program", "name", "seed", "scene", "derived"])
        self.assertEqual((manifest["format"], manifest["name"], manifest["seed"]), (1, "small", 1))
        self.assertRegex(manifest["program"], r"\Aphyxel \d+\.\d+\.\d+\Z")
        self.assertEqual(manifest["scene"]["frame_rate"], 40)
        self.assertEqual(manifest["scene"]["bodies"][0]["solver"]["type"], "dfsph")

    def test_the_resolved_scene_of_a_manifest_gives_the_same_run(self):
        manifest = json.loads((self.reference / "manifest.json").read_text())
        self.write("small.json", json.dumps(manifest["scene"]))
        self.assert_done(self.run_small("--quiet"))
        self.assert_same_as_reference()

    def test_the_number_of_threads_changes_no_byte(self):
        for threads in ["1", "2", "3", "7"]:
            with self.subTest(threads=threads):
                self.assert_done(self.run_small("--quiet", "--overwrite", "--threads", threads))
                self.assert_same_as_reference()

    def test_frames_can_be_chosen(self):
        self.assert_done(self.run_small("--quiet", "--frames", "3:5"))
        frames = sorted(path.name for path in (self.run_folder / "frames").glob("drop_*"))
        self.assertEqual(frames, ["drop_000003.ply", "drop_000004.ply"])
        for name in frames:
            self.assertEqual((self.run_folder / "frames" / name).read_bytes(),
                             (self.reference / "frames" / name).read_bytes())

    def test_the_estimate_is_of_the_frames_that_were_asked_for(self):
        done = self.run_small("--frames", "0:2")
        self.assertRegex(done.stderr, r"\Aphyxel: small: \d+ particles, 2 frames, about .*; frames 0 to 1 into out\n")

    def test_closed_streams_spoil_no_file(self):
        done = subprocess.run(["sh", "-c", '"$@" >&- 2>&- <&-', "sh", COMMAND, "run", "small.json", "-o", "out"],
                              cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, 1)  # what it had to say was lost
        for line in (self.run_folder / "log.txt").read_text().splitlines():
            self.assertRegex(line, r"\A\d{4}-\d\d-\d\d ")
        self.assert_same_as_reference()

    def test_a_run_of_the_first_frames_can_be_gone_on_with(self):
        self.assert_done(self.run_small("--quiet", "--frames", ":4"))
        self.assert_done(self.run_small("--quiet", "--resume"))
        self.assert_same_as_reference()

    def test_frames_that_are_none_are_refused(self):
        for text in ["5", "a:b", "1:2:3", "-1:3", "1.5:3"]:
            self.assert_refused(self.run_small(f"--frames={text}"),
                                f"phyxel: --frames {text}: expected two whole numbers such as 0:10")
        for text in ["5:5", "5:2"]:
            self.assert_refused(self.run_small("--frames", text),
                                f"phyxel: --frames {text}: the first frame must be below the end, as in 0:10")
        for text in ["0:22", "21:", "30:40"]:
            self.assert_refused(self.run_small("--frames", text),
                                f"phyxel: --frames {text}: the last frame of the scene is 20, so the end is at most 21")
        self.assertFalse(self.run_folder.exists())

    def said_on_a_terminal(self, kind: str) -> bytes:
        leader, follower = pty.openpty()
        process = subprocess.Popen([COMMAND, "run", "small.json", "-o", kind, *WEAKLY_COMPRESSIBLE], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=follower, env={**os.environ, "TERM": kind})
        os.close(follower)
        text = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                piece = os.read(leader, 4096)
            except OSError:  # what a terminal says at its end
                break
            if not piece:
                break
            text += piece
        process.communicate()
        os.close(leader)
        self.assertEqual(process.returncode, 0)
        return text

    def test_the_bar_is_redrawn_on_a_terminal(self):
        text = self.said_on_a_terminal("xterm")
        self.assertRegex(text, rb"\r\[=*> *\] \d+/20  [\d.e-]+ s  276 particles  ")
        self.assertRegex(text, rb"  [\d,]+ steps  [\d.e-]+ s/s  \d+:\d\d left\x1b\[K")
        self.assertTrue(text.endswith(b"\r\033[K"), text[-80:])
        plain = self.said_on_a_terminal("dumb")
        self.assertNotIn(b"\033", plain)
        self.assertRegex(plain, rb"phyxel: frame \d+ of 20, ")


class Folders(RunTest):
    def test_runs_are_numbered_and_last_names_the_newest(self):
        for number in ["001", "002"]:
            done = self.phyxel("run", "small.json", "--frames", "0:1")
            self.assert_done(done, None)
            self.assertTrue(done.stdout.startswith(f"runs/small-{number}: finished: 1 frame in "), done.stdout)
            self.assertIn(f"runs/small-{number}\n", self.phyxel("info", "last").stdout)
        self.assertEqual((self.folder / "runs" / ".last").read_text(), "runs/small-002\n")
        (self.folder / "runs" / "small-041").mkdir()
        (self.folder / "runs" / "small-1000x").mkdir()
        done = self.phyxel("run", "small.json", "--frames", "0:1")
        self.assertTrue(done.stdout.startswith("runs/small-042: "), done.stdout)

    def test_resume_without_a_folder_takes_the_newest_run_of_the_scene(self):
        self.write("other.json", SMALL_SCENE)
        self.phyxel("run", "small.json", "--quiet", "--frames", "0:2")
        self.phyxel("run", "small.json", "--quiet", "--frames", "0:3")
        self.phyxel("run", "other.json", "--quiet", "--frames", "0:3")
        done = self.phyxel("run", "small.json", "--resume")
        self.assert_done(done, None)
        self.assertRegex(done.stdout, r"\Aruns/small-002: finished: 21 frames, 18 of them now, in ")
        self.run_folder = self.folder / "runs" / "small-002"
        self.assert_same_as_reference()

    def test_resume_of_what_is_not_there_begins_at_0(self):
        self.assert_done(self.phyxel("run", "small.json", "--quiet", "--resume"))
        self.run_folder = self.folder / "runs" / "small-001"
        self.assert_same_as_reference()
        for folder in ["absent", "empty"]:
            if folder == "empty":
                (self.folder / folder).mkdir()
            self.assert_done(self.phyxel("run", "small.json", "--quiet", "--resume", "-o", folder))
            self.run_folder = self.folder / folder
            self.assert_same_as_reference()

    def test_last_is_a_run_to_resume_too(self):
        self.run_small("--quiet", "--frames", "0:2")
        self.assert_done(self.phyxel("run", "small.json", "--quiet", "--resume", "-o", "last"))
        self.assert_same_as_reference()

    def test_a_last_run_that_is_gone_is_said_to_be(self):
        self.run_small("--quiet", "--frames", "0:1")
        shutil.rmtree(self.run_folder)
        self.assert_refused(self.phyxel("info", "last"), "phyxel: last: the newest run, out, is no longer there")

    def test_a_run_is_not_written_over(self):
        self.run_small("--quiet", "--frames", "0:2")
        before = {path: path.read_bytes() for path in self.run_folder.rglob("*") if path.is_file()}
        self.assert_refused(self.run_small(),
                            "phyxel: out: holds a run already; --resume goes on with it, --overwrite begins anew")
        self.assertEqual({path: path.read_bytes() for path in self.run_folder.rglob("*") if path.is_file()}, before)
        self.assert_done(self.run_small("--quiet", "--overwrite"))
        self.assert_same_as_reference()

    def test_a_run_of_another_scene_is_not_gone_on_with(self):
        self.run_small("--quiet", "--frames", "0:2")
        done = self.run_small("--resume", "--set", "gravity=[0, -5]")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        # What was chosen because of it is named too.
        self.assertRegex(done.stderr, r"\Aphyxel: out: is another run: gravity\[1\] is -9.81 there and -5 here, "
                                      r"bodies\[0\].solver.max_speed is .*; --overwrite begins anew\n\Z")
        done = self.run_small("--resume", "--set", "gravity=[1, -5]", "--set", "seed=3", "--set", "frame_rate=25")
        self.assertIn("gravity[1] is -9.81 there and -5 here", done.stderr)
        self.assertIn("more difference", done.stderr)

    def test_a_note_beside_a_run_is_left_alone(self):
        self.run_small("--quiet", "--frames", "0:2")
        (self.run_folder / "note.txt").write_text("precious")
        self.assert_done(self.run_small("--quiet", "--resume"))
        self.assert_done(self.run_small("--quiet", "--overwrite"))
        self.assertEqual((self.run_folder / "note.txt").read_text(), "precious")
        (self.run_folder / "note.txt").unlink()
        self.assert_same_as_reference()

    def test_a_folder_with_something_else_is_left_alone(self):
        self.run_folder.mkdir()
        (self.run_folder / "thesis.tex").write_text("precious")
        for arguments in [[], ["--resume"], ["--overwrite"]]:
            self.assert_refused(self.run_small(*arguments),
                                'phyxel: out: holds "thesis.tex", which is not from a run; choose another folder with -o')
        self.assertEqual([path.name for path in self.run_folder.iterdir()], ["thesis.tex"])

    def test_frames_of_another_program_are_left_alone(self):
        (self.run_folder / "frames").mkdir(parents=True)
        (self.run_folder / "frames" / "film_000001.png").write_text("precious")
        for arguments in [[], ["--resume"], ["--overwrite"]]:
            done = self.run_small(*arguments)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertEqual((self.run_folder / "frames" / "film_000001.png").read_text(), "precious")

    def test_a_file_is_no_folder(self):
        self.write("out", "precious")
        for arguments in [[], ["--resume"], ["--overwrite"]]:
            self.assert_refused(self.run_small(*arguments),
                                "phyxel: out: is not a folder; choose another folder with -o")
        self.assertEqual((self.folder / "out").read_text(), "precious")

    def test_a_folder_that_cannot_be_made_is_one_clear_line(self):
        done = self.phyxel("run", "small.json", "-o", "/proc/none", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.write("file", "")
        done = self.phyxel("run", "small.json", "-o", "file/out", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Aphyxel: file/out: .*\n\Z")

    def test_a_read_only_file_is_one_clear_line_and_nothing_is_lost(self):
        self.run_small("--quiet", "--frames", "0:2")
        frame = self.run_folder / "frames" / "drop_000005.ply"
        frame.write_text("precious")
        frame.chmod(0o444)
        done = self.run_small("--quiet", "--resume")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines(),
                         ["phyxel: out/frames/drop_000005.ply: cannot write: the file is read-only",
                          "phyxel: what was written until then is whole; go on with: "
                          "phyxel run small.json --resume -o out"])
        self.assertEqual(frame.read_text(), "precious")
        frame.unlink()
        self.assert_done(self.run_small("--quiet", "--resume"))
        self.assert_same_as_reference()

    def test_two_programs_do_not_write_one_run(self):
        process = start(self.folder, "run", "small.json", "-o", "out", "--quiet", "--set", "duration=2000 s")
        wait_for(self.run_folder / "frames" / "puddle_000001.ply", process)
        for arguments in [["--resume"], ["--overwrite"]]:
            self.assert_refused(self.run_small("--set", "duration=2000 s", *arguments),
                                "phyxel: out: another phyxel is writing this run, wait for it or choose another folder")
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()
        # It may have been killed while it wrote a file, whose rest is then removed with a warning.
        self.assert_done(self.run_small("--quiet", "--overwrite"), None)
        self.assert_same_as_reference()

    def test_a_scene_with_mistakes_leaves_no_folder(self):
        self.assert_refused(self.phyxel("run", "small.json", "--set", "duration=1 m"),
                            'duration=1 m: duration: expected a time such as "1 s", found a length')
        self.assertFalse((self.folder / "runs").exists())

    def test_overwrite_and_resume_do_not_go_together(self):
        done = self.run_small("--resume", "--overwrite")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 2))

    def test_a_full_disk_is_one_clear_line_and_the_run_can_be_gone_on_with(self):
        # A disk of its own, with room for a few files, in a namespace of its own: that needs no rights and leaves
        # no traces.
        (self.folder / "disk").mkdir()
        script = ('mount -t tmpfs -o size=10m,nr_inodes=30 none disk || exit 77; "$@"; code=$?; '
                  'cp -r disk/out saved; exit $code')
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", COMMAND, "run", "small.json", "-o", "disk/out",
                               "--quiet"], cwd=self.folder, capture_output=True, text=True, timeout=100)
        if done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("no disk of its own here")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Aphyxel: disk/out/\S+: cannot write: the disk is full\n"
                                      r"phyxel: what was written until then is whole; go on with: "
                                      r"phyxel run small.json --resume -o disk/out\n\Z")
        shutil.move(self.folder / "saved", self.run_folder)
        self.assert_done(self.run_small("--quiet", "--resume"), None)
        self.assert_same_as_reference()


    def test_what_is_on_the_disk_already_needs_no_more_room(self):
        # Room for the run and a little, as in the test above.
        (self.folder / "disk").mkdir()
        script = ('mount -t tmpfs -o size=1m none disk || exit 77; '
                  '"$1" run small.json -o disk/out --quiet --frames 0:15 || exit 1; '
                  'dd if=/dev/zero of=disk/more bs=1k count=$(($(df -k --output=avail disk | tail -1) - 200)) '
                  'status=none || exit 1; "$1" run small.json -o disk/out --quiet --resume || exit 1; '
                  '"$1" run small.json -o disk/out --quiet --overwrite || exit 1; cp -r disk/out out')
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", COMMAND], cwd=self.folder,
                              capture_output=True, text=True, timeout=100)
        if done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("no disk of its own here")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same_as_reference()


class Resume(RunTest):
    def test_a_finished_run_stays_as_it_is(self):
        self.run_small("--quiet")
        done = self.run_small("--resume")
        self.assert_done(done, None)
        self.assertEqual(done.stdout, "out: was finished before, nothing to do\nnext: phyxel render out\n")
        self.assert_same_as_reference()

    def test_after_kill_9_at_many_moments_the_run_is_the_same(self):
        for frame in [0, 1, 4, 9, 15, LAST_FRAME]:
            process = start(self.folder, "run", "small.json", "-o", "out", "--resume", "--quiet")
            wait_for(self.run_folder / "frames" / f"puddle_{frame:06}.ply", process)
            process.kill()
            process.communicate()
        self.assert_done(self.run_small("--quiet", "--resume"), None)
        self.assert_same_as_reference()

    def test_leftovers_of_a_writer_that_was_killed_are_removed(self):
        self.run_small("--quiet", "--frames", "0:3")
        for folder in ["frames", "checkpoints", "."]:
            (self.run_folder / folder / ".phyxel-1-0.partial").write_text("half")
        done = self.run_small("--quiet", "--resume")
        self.assert_done(done, None)
        self.assert_same_as_reference()

    def test_ctrl_c_saves_and_the_rest_follows_later(self):
        for frame, stop in [(0, signal.SIGINT), (3, signal.SIGTERM), (11, signal.SIGINT)]:
            process = start(self.folder, "run", "small.json", "-o", "out", "--resume")
            wait_for(self.run_folder / "frames" / f"puddle_{frame:06}.ply", process)
            process.send_signal(stop)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual((process.returncode, stdout), (130, ""), stderr)
            lines = [line for line in stderr.splitlines() if not re.match("phyxel: frame", line)]
            self.assertEqual(lines[-2], "phyxel: saving; another Ctrl-C stops at once")
            self.assertRegex(lines[-1], r"\Aphyxel: interrupted after frame \d+ and saved; go on with: "
                                        r"phyxel run small.json --resume -o out\Z")
        self.assert_done(self.run_small("--quiet", "--resume"))
        self.assert_same_as_reference()

    def test_a_stop_within_the_last_frame_leaves_no_trace(self):
        for _ in range(3):
            process = start(self.folder, "run", "small.json", "-o", "out", "--resume", "--quiet")
            wait_for(self.run_folder / "frames" / f"puddle_{LAST_FRAME - 1:06}.ply", process)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assert_done(self.run_small("--quiet", "--resume"))
        self.assert_same_as_reference()

    def test_a_second_ctrl_c_ends_the_program(self):
        process = start(self.folder, "run", "small.json", "-o", "out", "--set", "count=20000", "--set",
                        "time_step=1e-9 s")
        wait_for(self.run_folder / "frames" / "puddle_000000.ply", process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.001)
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertIn(process.returncode, [-signal.SIGINT, 130])

    def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(self):
        self.run_small("--quiet", "--frames", "0:8")
        older, newest = sorted((self.run_folder / "checkpoints").iterdir())
        data = bytearray(newest.read_bytes())
        data[len(data) // 2] ^= 1
        newest.write_bytes(data)
        done = self.run_small("--quiet", "--resume")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertTrue(done.stderr.startswith(f"phyxel: warning: out/checkpoints/{newest.name}: "), done.stderr)
        self.assert_same_as_reference()

    def test_without_a_whole_checkpoint_the_run_begins_at_0(self):
        self.run_small("--quiet", "--frames", "0:8")
        for checkpoint in (self.run_folder / "checkpoints").iterdir():
            checkpoint.write_bytes(checkpoint.read_bytes()[:100])
        done = self.run_small("--quiet", "--resume")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 2), done.stderr)
        self.assert_same_as_reference()


    def test_a_damaged_frame_is_named_and_made_anew(self):
        self.run_small("--quiet")
        frame = self.run_folder / "frames" / f"drop_{LAST_FRAME:06}.ply"
        data = bytearray(frame.read_bytes())
        data[-1] ^= 1
        frame.write_bytes(data)
        done = self.run_small("--quiet", "--resume")
        self.assertEqual((done.returncode, done.stderr),
                         (0, f"phyxel: warning: out/frames/drop_{LAST_FRAME:06}.ply: is damaged: its checksum is wrong; "
                             f"going back to frame {LAST_FRAME - 1}\n"))
        self.assert_same_as_reference()

    def test_a_run_that_was_removed_while_it_was_written_is_not_called_whole(self):
        process = start(self.folder, "run", "small.json", "-o", "out", "--set", "duration=50 s", *WEAKLY_COMPRESSIBLE)
        wait_for(self.run_folder / "frames" / "puddle_000001.ply", process)
        self.run_folder.rename(self.folder / "away")
        shutil.rmtree(self.folder / "away")
        stderr = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1, stderr)
        self.assertEqual(stderr.splitlines()[-1],
                         "phyxel: out: the run was removed while it was written; begin anew with: "
                         "phyxel run small.json -o out --set 'duration=50 s' "
                         + " ".join("--set '" + word + "'" for word in WEAKLY_COMPRESSIBLE[1::2]))


class Limits(RunTest):
    def test_a_run_at_its_limit_is_saved_and_gone_on_with(self):
        for limit, reason in [(["--limit-time", "1 ms"], r"it has run for .* s, as long as --limit-time allows"),
                              (["--limit-memory", "5 MB"],
                               r"it takes .* MB of memory, more than --limit-memory allows")]:
            done = self.run_small("--quiet", "--resume", *limit)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, r"\Aphyxel: stopped after frame \d+ and saved: " + reason +
                             r"; go on with: phyxel run small.json --resume -o out\n\Z")
        self.assert_done(self.run_small("--quiet", "--resume", "--limit-time", "100 s", "--limit-memory", "4GB"))
        self.assert_same_as_reference()

    def test_a_scene_that_needs_more_memory_is_refused(self):
        done = self.run_small("--limit-memory", "100 kB")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"memory, and 100 kB are available")

    def test_limits_that_are_none_are_refused(self):
        for option, text, what in [("--limit-memory", "2 apples", 'expected a size such as "2 GB", found "2 apples"'),
                                   ("--limit-memory", "-1", 'expected a size such as "2 GB", found "-1"'),
                                   ("--limit-time", "0 s", 'must be more than 0, as in "10 min"')]:
            self.assert_refused(self.run_small(f"{option}={text}"), f"phyxel: {option} {text}: {what}")

    def test_where_memory_is_short_there_is_one_clear_line(self):
        """From too little to load the program up to enough for the run: never an abort."""
        if b"__asan_init" in Path(COMMAND).read_bytes() or b"__tsan_init" in Path(COMMAND).read_bytes():
            self.skipTest("sanitizers need memory of their own")
        for megabytes in range(120, 260, 20):
            done = subprocess.run(["bash", "-c", f'ulimit -v {1000 * megabytes}; "$@"', "bash", COMMAND, "run",
                                   "small.json", "-o", f"out{megabytes}", "--quiet", "--frames", "0:2"],
                                  cwd=self.folder, capture_output=True, text=True, timeout=100)
            if done.returncode == 127:  # not even the libraries could be loaded
                continue
            self.assertIn(done.returncode, [0, 1], (megabytes, done.stderr))
            if done.returncode == 1:
                self.assertRegex(done.stderr, r"\A(phyxel: .*\n)+\Z")
                self.assertIn("phyxel: out of memory", done.stderr)


class Busy(CommandTest):
    """A scene with everything in it that has a state of its own, and frames for ParaView."""

    def test_neither_threads_nor_stops_change_a_byte(self):
        self.write("busy.json", BUSY_SCENE)
        self.assert_done(self.phyxel("run", "busy.json", "-o", "reference", "--quiet"), None)
        reference = self.folder / "reference"
        self.assertTrue((reference / "frames" / "water_000010.vtp").exists())
        self.assertEqual((reference / "frames.pvd").read_text().count("<DataSet "), 11)
        done = self.phyxel("convert", "reference", "csv", "--to", "csv")
        self.assertEqual((done.returncode, done.stdout), (0, "csv: 11 files of 1 body\n"), done.stderr)
        self.assertIn("pressure", (self.folder / "csv" / "water_000010.csv").read_text().splitlines()[0])
        for threads in ["1", "3", "7"]:
            self.phyxel("run", "busy.json", "-o", "out", "--quiet", "--overwrite", "--threads", threads)
            self.assert_same_run(self.folder / "out", reference)
        for number, stop in enumerate([signal.SIGINT, signal.SIGKILL, signal.SIGINT, signal.SIGKILL]):
            process = start(self.folder, "run", "busy.json", "-o", "stopped", "--resume", "--quiet")
            wait_for(self.folder / "stopped" / "frames" / f"water_{2 * number + 1:06}.vtp", process)
            process.send_signal(stop)
            process.communicate(timeout=60)
        self.assert_done(self.phyxel("run", "busy.json", "-o", "stopped", "--quiet", "--resume"), None)
        self.assert_same_run(self.folder / "stopped", reference)


class Failure(RunTest):
    def test_a_run_that_explodes_says_what_where_and_why(self):
        done = self.run_small("--set", "time_step=10 ms", *WEAKLY_COMPRESSIBLE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        lines = [line for line in done.stderr.splitlines() if not re.match("phyxel: (frame|warning|small:)", line)]
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], r"\Aphyxel: (puddle|drop): (particle \d+ )?at [\d.e-]+ s: ")
        self.assertRegex(lines[1], r"\Aphyxel: stopped after frame \d+; all frames are kept in out\Z")
        self.assertTrue((self.run_folder / "frames" / "puddle_000000.ply").exists())


class InfoAndConvert(RunTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(self.reference, self.run_folder)

    def rows(self, *arguments: str) -> list[list[str]]:
        done = self.phyxel("info", *arguments)
        self.assert_done(done)
        return [re.split(r"  +", line) for line in done.stdout.splitlines()]

    def test_of_a_run(self):
        rows = self.rows("out")
        self.assertEqual(rows[0], ["out"])
        self.assertIn(["scene", "small, 2D, seed 1"], rows)
        self.assertIn(["state", "finished"], rows)
        self.assertIn(["frames", "21, 0 to 20, at 0 s to 0.5 s"], rows)
        self.assertIn(["body", "type", "shape", "material", "particles at the start"], rows)
        self.assertIn(["puddle", "fluid", "box", "water", "224"], rows)
        self.assertIn(["frame", "20"], rows)
        self.assertEqual(self.rows("out/manifest.json"), rows)

    def test_of_a_run_that_was_stopped(self):
        for body in ["drop", "puddle"]:
            for frame in range(13, LAST_FRAME + 1):
                (self.run_folder / "frames" / f"{body}_{frame:06}.ply").unlink()
        self.assertIn(["state", "frame 12 of 20"], self.rows("out"))

    def test_of_a_frame(self):
        rows = self.rows("out/frames/drop_000020.ply")
        self.assertIn(["body", "drop"], rows)
        self.assertIn(["time", "0.5 s"], rows)
        fields = {row[0]: row for row in rows if len(row) > 3}
        self.assertEqual(fields["id"][1], "uint64")
        self.assertEqual(fields["velocity"][4], "of the length")
        self.assertLess(abs(float(fields["density"][3]) / 998.2 - 1), 0.2)

    def test_of_a_checkpoint(self):
        checkpoint = sorted((self.run_folder / "checkpoints").iterdir())[-1]
        done = self.phyxel("info", checkpoint)
        self.assert_done(done)
        self.assertIn("checkpoint, whole, format 2, ", done.stdout)
        self.assertRegex(done.stdout, r"\nworld/frame +uint64 +1 +8 bytes\n")
        checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
        done = self.phyxel("info", checkpoint)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1))

    def test_a_run_is_converted_as_a_whole(self):
        done = self.phyxel("convert", "out", "paraview", "--to", "vtp")
        self.assert_done(done)
        self.assertEqual(done.stdout, "paraview: 42 files of 2 bodies; open frames.pvd in ParaView\n")
        self.assertEqual(len(list((self.folder / "paraview").glob("*.vtp"))), 42)
        text = (self.folder / "paraview" / "frames.pvd").read_text()
        self.assertEqual(text.count("<DataSet "), 42)
        self.assertIn('timestep="0.5" group="" part="1" name="puddle" file="puddle_000020.vtp"', text)

    def test_a_frame_survives_the_way_through_csv_and_ply(self):
        self.assert_done(self.phyxel("convert", "out/frames/drop_000007.ply", "drop.csv"))
        head, *rows = (self.folder / "drop.csv").read_text().splitlines()
        self.assertEqual(head.split(",")[:4], ["x", "y", "z", "id"])
        self.assertGreater(len(rows), 10)
        self.assert_done(self.phyxel("convert", "out/frames/drop_000007.ply", "copy.ply"))
        self.assertEqual((self.folder / "copy.ply").read_bytes(),
                         (self.run_folder / "frames" / "drop_000007.ply").read_bytes())

    def test_what_cannot_be_converted(self):
        self.assert_refused(self.phyxel("convert", "out", "vtk"),
                            "phyxel: out: say what to make of the frames with --to, allowed: ply, vtp, obj, csv, pc2")
        for folder in ["out", "out/frames"]:
            self.assert_refused(self.phyxel("convert", "out", folder, "--to", "vtp"),
                                f"phyxel: {folder}: belongs to the run, give the output a folder of its own")
        (self.folder / "empty").mkdir()
        self.assert_refused(self.phyxel("convert", "empty", "vtk", "--to", "vtp"),
                            "phyxel: empty: there are no frames to convert")
        self.assert_same_as_reference()


if __name__ == "__main__":
    unittest.main()
