// SPDX-License-Identifier: MIT
#include "nozzle_table.h"

#include <phyxel/core/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel::studio {
namespace {

/// Length of the piece of pipe, in spacings: it holds two layers of particles.
constexpr double pipe_length = 2.0;

Node list_of(const std::vector<double>& numbers)
{
    return Node::list(std::vector<Node>(numbers.begin(), numbers.end()));
}

std::vector<double> shifted(std::vector<double> place, double factor, const std::vector<double>& by)
{
    for (std::size_t k = 0; k < place.size(); ++k) place[k] += factor * by[k];
    return place;
}

/// A cylinder along the velocity; in the plane a box that is turned.
Node pipe(const PourMessage& wish, double length)
{
    double speed = 0.0;
    for (const double v : wish.velocity) speed = std::hypot(speed, v);
    const double half = 0.5 * length;
    if (wish.at.size() == 3)
        return Node::object(
            {{"cylinder", Node::object({{"from", list_of(shifted(wish.at, -half / speed, wish.velocity))},
                                        {"to", list_of(shifted(wish.at, half / speed, wish.velocity))},
                                        {"radius", wish.radius}})}});
    return Node::object(
        {{"box", Node::object({{"min", Node::list({wish.at[0] - half, wish.at[1] - wish.radius})},
                               {"max", Node::list({wish.at[0] + half, wish.at[1] + wish.radius})}})},
         {"rotate", std::atan2(wish.velocity[1], wish.velocity[0])}});
}

} // namespace

NozzleTable::NozzleTable(Node emitters_of_scene) : emitters_of_scene_(std::move(emitters_of_scene)) {}

void NozzleTable::move(ClientNumber client, const PourMessage& message, double spacing)
{
    for (const Node& emitter : emitters_of_scene_.items())
        if (const Node* name = emitter.find("name"); name != nullptr && *name == Node(message.name))
            throw InputError("nozzle \"" + message.name + "\": the scene has an emitter of this name");
    const auto found = std::find_if(nozzles_.begin(), nozzles_.end(),
                                    [&](const Nozzle& nozzle) { return nozzle.wish.name == message.name; });
    if (found != nozzles_.end()) {
        *found = {message, spacing, client};
        return;
    }
    if (nozzles_.size() >= max_nozzles)
        throw InputError("there are " + std::to_string(max_nozzles) + " nozzles already");
    nozzles_.push_back({message, spacing, client});
}

bool NozzleTable::follow(const Node& emitters)
{
    std::size_t own = 0;
    emitters_of_scene_ = Node::list();
    for (const Node& emitter : emitters.items()) {
        const Node* name = emitter.find("name");
        if (name != nullptr && std::any_of(nozzles_.begin(), nozzles_.end(), [&](const Nozzle& nozzle) {
                return *name == Node(nozzle.wish.name);
            }))
            ++own;
        else
            emitters_of_scene_.items().push_back(emitter);
    }
    return own < nozzles_.size();
}

bool NozzleTable::release(std::string_view name)
{
    return std::erase_if(nozzles_, [&](const Nozzle& nozzle) { return nozzle.wish.name == name; }) > 0;
}

bool NozzleTable::release_all(ClientNumber client)
{
    return std::erase_if(nozzles_, [&](const Nozzle& nozzle) { return nozzle.owner == client; }) > 0;
}

Node NozzleTable::scene_list() const
{
    Node list = emitters_of_scene_;
    for (const Nozzle& nozzle : nozzles_)
        list.items().push_back(Node::object({{"name", nozzle.wish.name},
                                             {"body", nozzle.wish.body},
                                             {"shape", pipe(nozzle.wish, pipe_length * nozzle.spacing)},
                                             {"velocity", list_of(nozzle.wish.velocity)}}));
    return list;
}

Node NozzleTable::state() const
{
    Node list = Node::list();
    for (const Nozzle& nozzle : nozzles_)
        list.items().push_back(Node::object({{"name", nozzle.wish.name},
                                             {"body", nozzle.wish.body},
                                             {"position", list_of(nozzle.wish.at)},
                                             {"velocity", list_of(nozzle.wish.velocity)},
                                             {"radius", nozzle.wish.radius}}));
    return list;
}

} // namespace phyxel::studio
