"""Writes UPPAAL models in XML, with a drawing that the editor shows without overlaps."""

from xml.sax.saxutils import escape

HEADER = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
"""
LINE = 17  # height of a line of text in the editor, which also snaps to multiples of it
CHAR = 7  # width of a character, roughly
KINDS = ("select", "guard", "synchronisation", "assignment")


class Template:
    """A template with its drawing. Places are in grid units of 17 points, as the editor snaps."""

    def __init__(self, name, parameter="", declaration=""):
        self.name = name
        self.parameter = parameter
        self.declaration = declaration
        self.locations = {}
        self.edges = []

    def location(self, name, x, y, kind="", label="above", invariant=""):
        """The first location is initial; `label` is the side of the name, or where it starts."""
        self.locations[name] = (x * LINE, y * LINE, kind, label, invariant)

    def edge(self, source, target, guard="", sync="", update="", select="", nails=(), at=None):
        """`at` is where the labels start; without it they go beside the middle of the edge."""
        nails = [(x * LINE, y * LINE) for x, y in nails]
        if at is not None:
            at = (int(at[0] * LINE), int(at[1] * LINE))  # the format knows whole points only
        self.edges.append((source, target, (select, guard, sync, update), nails, at))

    def _label_place(self, source, target, labels, nails):
        points = [self.locations[source][:2], *nails, self.locations[target][:2]]
        # The longest part of the line has most room for text.
        (x1, y1), (x2, y2) = max(
            zip(points, points[1:]),
            key=lambda part: abs(part[0][0] - part[1][0]) + abs(part[0][1] - part[1][1]),
        )
        x, y = (x1 + x2) // 2, (y1 + y2) // 2
        lines = [line for text in labels if text for line in text.split("\n")]
        if abs(y2 - y1) <= abs(x2 - x1) // 4:  # nearly level: the text stands on the line
            return x - max(map(len, lines)) * CHAR // 2, y - len(lines) * LINE - 2
        return x + 8, y - len(lines) * LINE // 2

    def xml(self):
        ids = {name: f"id{number}" for number, name in enumerate(self.locations)}
        out = ["\t<template>", f'\t\t<name x="0" y="0">{self.name}</name>']
        if self.parameter:
            out.append(f"\t\t<parameter>{escape(self.parameter)}</parameter>")
        if self.declaration:
            out.append(f"\t\t<declaration>{escape(self.declaration)}</declaration>")
        for name, (x, y, kind, side, invariant) in self.locations.items():
            width = max(len(name), len(invariant)) * CHAR
            left, top = {
                "above": (-width // 2, -34 - LINE * bool(invariant)),
                "below": (-width // 2, 14),
                "left": (-width - 17, -9),
                "right": (15, -9),
            }.get(side, side)
            out.append(f'\t\t<location id="{ids[name]}" x="{x}" y="{y}">')
            out.append(f'\t\t\t<name x="{x + left}" y="{y + top}">{name}</name>')
            if invariant:
                place = f'kind="invariant" x="{x + left}" y="{y + top + LINE}"'
                out.append(f"\t\t\t<label {place}>{escape(invariant)}</label>")
            if kind:
                out.append(f"\t\t\t<{kind}/>")
            out.append("\t\t</location>")
        out.append(f'\t\t<init ref="{ids[next(iter(self.locations))]}"/>')
        for source, target, labels, nails, at in self.edges:
            out.append("\t\t<transition>")
            out.append(f'\t\t\t<source ref="{ids[source]}"/>')
            out.append(f'\t\t\t<target ref="{ids[target]}"/>')
            if any(labels):
                x, y = at or self._label_place(source, target, labels, nails)
                for kind, text in zip(KINDS, labels):
                    if text:
                        place = f'kind="{kind}" x="{x}" y="{y}"'
                        out.append(f"\t\t\t<label {place}>{escape(text)}</label>")
                        y += LINE * (text.count("\n") + 1)
            out.extend(f'\t\t\t<nail x="{x}" y="{y}"/>' for x, y in nails)
            out.append("\t\t</transition>")
        out.append("\t</template>")
        return "\n".join(out)


def model(declaration, templates, system, queries):
    """The whole file; `queries` are pairs of formula and comment."""
    out = [HEADER + "<nta>", f"\t<declaration>{escape(declaration)}</declaration>"]
    out.extend(template.xml() for template in templates)
    out.append(f"\t<system>{escape(system)}</system>")
    out.append("\t<queries>")
    for formula, comment in queries:
        out.append("\t\t<query>")
        out.append(f"\t\t\t<formula>{escape(formula)}</formula>")
        out.append(f"\t\t\t<comment>{escape(comment)}</comment>")
        out.append("\t\t</query>")
    out.extend(["\t</queries>", "</nta>", ""])
    return "\n".join(out)
