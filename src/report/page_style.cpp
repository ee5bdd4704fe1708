#include "report/page_style.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/svg.hpp"

namespace lacuna::report {
namespace {

constexpr std::string_view rules = R"css(
*{box-sizing:border-box}
html{font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:var(--ink);
background:var(--background);-webkit-text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0 auto;max-width:1120px;padding:2.2rem 20px 4rem}
h1,h2,h3{line-height:1.25;font-weight:650;overflow-wrap:anywhere}
h1{font-size:2rem;margin:0 0 .3rem;letter-spacing:-.015em}
h2{font-size:1.45rem;margin:0;letter-spacing:-.01em}
h3{font-size:1.05rem;margin:0}
p{margin:.5rem 0;max-width:46rem;overflow-wrap:anywhere}
.question{color:var(--muted);margin:.15rem 0 1.2rem}
.lead,.note,figcaption p{color:var(--muted)}
.note,figcaption p,details{font-size:.88rem;line-height:1.5}
section{border-top:1px solid var(--border);margin-top:3rem;padding-top:1.8rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;margin:1.1rem 0 0;padding:0;font-size:.93rem}
a{color:var(--strong);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:2px}
.verdict{border:1px solid var(--border);border-left:6px solid var(--axis);border-radius:8px;padding:1.1rem 1.4rem;
margin:1.6rem 0 1.4rem}
.verdict strong{display:block;font-size:1.12rem;line-height:1.4}
.verdict p{margin:.6rem 0 0;max-width:none}
.verdict.converged{border-left-color:var(--good)}
.verdict.modes{border-left-color:var(--fair)}
.verdict.unusable{border-left-color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));border:1px solid var(--border);
border-radius:8px;overflow:hidden;margin:0 0 1.6rem}
.tiles div{box-shadow:0 0 0 .5px var(--border);padding:.8rem 1rem}
.tiles dt{font-size:.8rem;color:var(--muted);line-height:1.3}
.tiles dd{margin:.15rem 0 0;font-size:1.35rem;font-weight:600;line-height:1.25;font-variant-numeric:tabular-nums}
.tiles dd small{display:block;font-size:.78rem;font-weight:400;color:var(--muted)}
.figures+p{margin-top:1.8rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:2.4rem 3rem;
align-items:start;margin-top:1.2rem}
figure{margin:0;min-width:0;break-inside:avoid;position:relative}
figure.wide{grid-column:1/-1}
figcaption p{margin:.2rem 0 .6rem}
.plot svg{display:block;width:100%;height:auto;overflow:hidden;font-family:inherit;touch-action:pan-y}
.plot{max-width:640px}
.wide .plot{max-width:none}
.plot svg.zoomed{cursor:grab;touch-action:none}
[data-tip]{cursor:crosshair}
[data-tip]:hover{filter:brightness(.85)}
g[data-tip]:hover>path:first-child{stroke-opacity:1}
.off{display:none}
details{margin-top:.5rem}
summary{cursor:pointer;color:var(--strong);width:fit-content}
.scroll{overflow:auto;max-height:24rem;border:1px solid var(--border);border-radius:6px;margin:.6rem 0;width:fit-content;
max-width:100%}
table{border-collapse:collapse;font-size:.84rem;line-height:1.4;font-variant-numeric:tabular-nums}
th,td{padding:.32rem .8rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}
th[scope=row],thead th:first-child{text-align:left;font-weight:500;max-width:22rem;overflow:hidden;text-overflow:ellipsis}
thead th{position:sticky;top:0;background:var(--background);font-weight:600;border-bottom:1px solid var(--axis)}
tbody tr:last-child>*{border-bottom:0}
dl{margin:1rem 0}
section>dl div{display:grid;grid-template-columns:minmax(7rem,11rem) 1fr;gap:0 1rem;padding:.35rem 0;
border-bottom:1px solid var(--grid);font-size:.93rem}
section>dl dt{color:var(--muted)}
section>dl dd{margin:0;overflow-wrap:anywhere}
.tools{display:flex;gap:.35rem;flex-wrap:wrap;margin:.3rem 0}
.tools button,.chains button{font:inherit;font-size:.8rem;line-height:1;min-width:2rem;padding:.45rem .6rem;
color:var(--ink);background:var(--background);border:1px solid var(--border);border-radius:6px;cursor:pointer}
.chains button[aria-pressed=true]{background:var(--strong);color:var(--background);border-color:var(--strong)}
.chains{display:flex;gap:.35rem;flex-wrap:wrap;align-items:center;font-size:.88rem;color:var(--muted)}
figure .tools{position:absolute;right:0;top:0;opacity:0}
figure:hover .tools,figure:focus-within .tools{opacity:1}
#tip{position:fixed;z-index:9;max-width:20rem;padding:.35rem .6rem;border-radius:6px;background:var(--ink);
color:var(--background);font-size:.8rem;line-height:1.4;pointer-events:none;overflow-wrap:anywhere}
footer{margin-top:3rem;border-top:1px solid var(--border);padding-top:1rem;font-size:.85rem;color:var(--muted)}
@media (max-width:640px){html{font-size:16px}body{padding:1.3rem 16px 3rem}h1{font-size:1.6rem}
section{margin-top:2.2rem;padding-top:1.3rem}.verdict{padding:.9rem 1rem}section>dl div{grid-template-columns:1fr}
.tools{display:none}}
@media print{html{font-size:10pt}body{max-width:none;padding:0}nav,.tools,.chains,#tip,details:not([open]){display:none}
section{margin-top:1.2rem;padding-top:.8rem}.scroll{max-height:none;overflow:visible}
.figures{grid-template-columns:1fr 1fr;gap:1rem 1.4rem}}
)css";

constexpr std::string_view script = R"js("use strict";
(function () {
  var tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("aria-hidden", "true");
  tip.className = "off";
  document.body.appendChild(tip);
  function place(event) {
    var box = tip.getBoundingClientRect(), gap = 14, x = event.clientX + gap, y = event.clientY + gap;
    if (x + box.width > innerWidth - 8) x = Math.max(8, event.clientX - gap - box.width);
    if (y + box.height > innerHeight - 8) y = event.clientY - gap - box.height;
    tip.style.left = x + "px";
    tip.style.top = y + "px";
  }
  document.addEventListener("pointerover", function (event) {
    var shape = event.target.closest("[data-tip]");
    tip.className = shape ? "" : "off";
    if (!shape) return;
    tip.textContent = shape.getAttribute("data-tip");
    place(event);
  });
  document.addEventListener("pointermove", place);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") tip.className = "off";
  });

  function button(text, label, action) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  }

  document.querySelectorAll("figure").forEach(function (figure) {
    var svg = figure.querySelector("svg"), name = figure.querySelector("h3").textContent;
    var whole = svg.getAttribute("viewBox").split(" ").map(Number), view = whole.slice(), from = null;
    function show() {
      view[0] = Math.min(Math.max(view[0], whole[0]), whole[0] + whole[2] - view[2]);
      view[1] = Math.min(Math.max(view[1], whole[1]), whole[1] + whole[3] - view[3]);
      svg.setAttribute("viewBox", view.join(" "));
      svg.classList.toggle("zoomed", view[2] < whole[2]);
    }
    function zoom(factor) {
      var width = Math.min(whole[2], Math.max(whole[2] / 16, view[2] / factor)), share = width / whole[2];
      view = [view[0] + (view[2] - width) / 2, view[1] + (view[3] - whole[3] * share) / 2, width, whole[3] * share];
      show();
    }
    var tools = document.createElement("div");
    tools.className = "tools";
    tools.appendChild(button("+", "Zoom in: " + name, function () { zoom(1.5); }));
    tools.appendChild(button("\u2212", "Zoom out: " + name, function () { zoom(1 / 1.5); }));
    tools.appendChild(button("1:1", "Whole picture: " + name, function () { view = whole.slice(); show(); }));
    figure.insertBefore(tools, figure.querySelector(".plot"));
    svg.addEventListener("pointerdown", function (event) {
      if (view[2] < whole[2]) from = [event.clientX, event.clientY, view[0], view[1]];
    });
    addEventListener("pointermove", function (event) {
      if (!from) return;
      var scale = view[2] / svg.clientWidth;
      view[0] = from[2] - (event.clientX - from[0]) * scale;
      view[1] = from[3] - (event.clientY - from[1]) * scale;
      show();
    });
    addEventListener("pointerup", function () { from = null; });
  });

  document.querySelectorAll("[data-chains]").forEach(function (place) {
    var count = Number(place.getAttribute("data-chains")), buttons = [];
    function show(chosen) {
      buttons.forEach(function (made, k) { made.setAttribute("aria-pressed", String(k - 1 === chosen)); });
      place.parentNode.querySelectorAll("g[data-chain]").forEach(function (group) {
        group.classList.toggle("off", chosen >= 0 && group.getAttribute("data-chain") !== String(chosen));
      });
    }
    place.className = "chains";
    place.textContent = "Show ";
    buttons.push(button("all chains", "Show all chains", function () { show(-1); }));
    for (var k = 0; k < count; ++k) (function (k) {
      buttons.push(button("chain " + k, "Show chain " + k + " alone", function () { show(k); }));
    })(k);
    buttons.forEach(function (made) { place.appendChild(made); });
    show(-1);
  });
})();
)js";

// Of the verdict's mark; words say the same.
constexpr Colour verdicts[] = {
    {"good", "#00805c", "#3fc79a"}, {"fair", "#b7791f", "#e0bf3e"}, {"bad", "#c2410c", "#f59a52"}};

std::string variables(std::string_view Colour::*paper) {
  std::string text;
  const auto add = [&](const auto& colours) {
    for (const Colour& colour : colours)
      fmt::format_to(std::back_inserter(text), "--{}:{};", colour.role, colour.*paper);
  };
  add(palette::all);
  add(palette::series);
  add(verdicts);
  return text;
}

}  // namespace

std::string page_style() {
  return fmt::format(
      "\n:root{{color-scheme:light dark;{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}{}",
      variables(&Colour::light), variables(&Colour::dark), rules);
}

std::string_view page_script() { return script; }

}  // namespace lacuna::report
