// A network as a graph, layer by layer from the inputs to the output.
#pragma once

#include <string>
#include <vector>

#include "report/svg.hpp"

namespace lacuna::report {

struct NetworkUnit {
  std::string label;  // written beside it: names of inputs and of the target
  std::string tip;
  bool shifted = false;  // has a shift of its own, and is drawn filled
};

struct NetworkEdge {
  std::size_t layer;     // of the source
  std::size_t from, to;  // positions in `layers[layer]` and `layers[layer + 1]`
  double strength;       // from 0 to 1: its width
  bool positive;
  std::string tip;
};

struct NetworkPicture {
  std::string title, description;
  std::vector<std::vector<NetworkUnit>> layers;  // inputs first, output last
  std::vector<NetworkEdge> edges;
  // By which units are put in order, if not by `edges`: pictures of the same units with the same
  // arrangement can be compared.
  std::vector<NetworkEdge> arrangement = {};
  std::string strength_label;  // what width means, for the legend
  Sheet sheet = {.medium = Medium::page, .width = 520.0, .height = 0.0};  // height: as needed
};

// Inputs keep their order; hidden units are put where edges cross little.
std::string draw_network(const NetworkPicture& picture);

}  // namespace lacuna::report
