"""The words in a figure: its axis labels and its legend, read from the SVG that the site shows.

Text is drawn as outlines, but Matplotlib writes each string into the SVG as a comment. ``book/data/figures.yml`` says
what stands on which axis, so that exchanged labels or legend entries are noticed even after the notebook is executed.
"""

import io
import json
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from tests.registries import load
from tools import notebooks

GROUP = "{http://www.w3.org/2000/svg}g"
RIGHT_AND_UP = [("FPR", "TPR"), ("false positive rate", "true positive rate"), ("recall", "precision")]
RIGHT_AND_UP += [("predicted", "true")]


def figures():
    """The SVG of each figure by its name."""
    found = {}
    for path in notebooks.book_notebooks():
        for cell in notebooks.read(path).cells:
            for output in cell.get("outputs", []):
                if "image/svg+xml" in output.get("data", {}):
                    found[cell.metadata["mystnb"]["figure"]["name"]] = output["data"]["image/svg+xml"]
    return found


def groups(element, name):
    return [group for group in element.iter(GROUP) if group.get("id", "").startswith(name)]


def strings(element):
    """The text of the groups that stand directly in an element, and not in its ticks."""
    texts = [group for group in element.findall(GROUP) if group.get("id", "").startswith("text")]
    return [" ".join(node.text.strip() for node in text.iter(ET.Comment)) for text in texts]


def words(svg):
    """The labels (x, y) of each panel, the entries of the legends, and what is written below and beside all panels."""
    root = ET.fromstring(svg, ET.XMLParser(target=ET.TreeBuilder(insert_comments=True)))
    axes = [[" ".join(strings(axis)) for axis in groups(panel, "matplotlib.axis")] for panel in groups(root, "axes")]
    legend = [entry for box in groups(root, "legend") for entry in strings(box)]
    around = strings(groups(root, "figure")[0])
    return {"axes": axes} | ({"legend": legend} if legend else {}) | ({"around": around} if around else {})


FIGURES = figures()
WORDS = {name: words(svg) for name, svg in FIGURES.items()}
REGISTRY = load("figures")


def entry(name):
    """The lines that the registry would hold for a figure as it is drawn."""
    lines = [f"  {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in WORDS[name].items()]
    return "\n".join([f"{name}:", *lines])


def test_every_figure_is_in_the_registry_and_every_record_is_drawn():
    missing = [entry(name) for name in WORDS if name not in REGISTRY]
    assert not missing, "look at each figure and add to figures.yml:\n" + "\n".join(missing)
    assert set(REGISTRY) == set(WORDS)


@pytest.mark.parametrize("name", WORDS)
def test_the_words_of_a_figure_stand_where_the_registry_says(name):
    assert WORDS[name] == REGISTRY[name]


@pytest.mark.parametrize("name", WORDS)
def test_the_two_rates_of_a_curve_stand_on_their_customary_axes(name):
    """Left to right and upwards: FPR and TPR, recall and precision; predicted and true classes."""
    for x, y in (panel for panel in WORDS[name]["axes"] if len(panel) == 2):
        assert (y, x) not in RIGHT_AND_UP


@pytest.mark.parametrize("name", WORDS)
def test_no_panel_repeats_a_legend_entry_and_some_axis_is_labelled(name):
    legend = WORDS[name].get("legend", [])
    assert len(set(legend)) == len(legend)
    assert any(label for panel in WORDS[name]["axes"] for label in panel) or "around" in WORDS[name]


def test_labels_are_read_from_outlined_text():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.set(xlabel="recall", ylabel="precision", title="no label")
    left.plot([0, 1], [1, 0], label="a $x_1$")
    left.legend()
    right.set(ylabel="two\nlines")
    figure.supxlabel("below")
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "path"}):
        figure.savefig(file, format="svg")
    wanted = {"axes": [["recall", "precision"], ["", "two lines"]], "legend": ["a $x_1$"], "around": ["below"]}
    assert words(file.getvalue()) == wanted
