// SPDX-License-Identifier: MIT
// Events of a world from those that were planned.
#pragma once

#include <phyxel/scene/detail/events.h>
#include <phyxel/world/world.h>

#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// Throws InputError for motions that are none.
template <int Dim>
std::vector<Hand<Dim>> make_hands(const std::vector<HandOptions<Dim>>& options);

/// A body that was expected is there from a time on.
template <int Dim>
Event<Dim> joining_event(const std::string& body, double time);

template <int Dim>
WallSurface<Dim> surface_of(const WallSurfaceOptions<Dim>& options);

/// Throws InputError for motions that are none.
template <int Dim>
std::vector<ObstacleChange<Dim>> make_obstacle_changes(const PlannedEvent<Dim>& planned);

/// Adds what a planned event is to a world. Doing it again changes nothing. `kinds` are those of the bodies
/// of the world.
template <int Dim>
void add_event(const PlannedEvent<Dim>& planned, std::span<const KindOf<Dim>* const> kinds,
               std::vector<Event<Dim>>& events);

} // namespace phyxel
