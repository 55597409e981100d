"""Engine output rebuilt from the allow-list."""

from __future__ import annotations

from annotate.rendering.mathml import to_safe_mathml


def test_styles_become_classes_and_attributes() -> None:
    raw = (
        '<math><mtable style="width: 100%"><mtr><mtd style="text-align: left;justify-items: start;padding-right: 0;">'
        '<mrow style="color:#FF0000;"><mspace style="margin-left:-0.16666667em;"/></mrow></mtd></mtr></mtable></math>'
    )
    assert to_safe_mathml(raw) == (
        '<math><mtable class="m-w100"><mtr><mtd class="m-l m-pr0"><mrow mathcolor="#FF0000">'
        '<mspace class="m-n3"></mspace></mrow></mtd></mtr></mtable></math>'
    )


def test_unknown_elements_attributes_and_styles_are_dropped_but_their_text_stays() -> None:
    raw = (
        '<math onclick="x" id="main"><annotation-xml><mi href="javascript:x" style="position:fixed">a</mi>'
        "</annotation-xml><mtext>t<script>s</script></mtext></math>"
    )
    assert to_safe_mathml(raw) == "<math><mrow><mi>a</mi></mrow><mtext>t<span>s</span></mtext></math>"


def test_lengths_beyond_the_limit_are_dropped() -> None:
    assert to_safe_mathml('<math><mspace width="9999em"/></math>') == "<math><mspace></mspace></math>"


def test_named_entities_are_resolved_and_text_is_escaped() -> None:
    assert (
        to_safe_mathml("<math><mo>&ApplyFunction;</mo><mo>&lt;</mo></math>")
        == "<math><mo>\u2061</mo><mo>&lt;</mo></math>"
    )


def test_what_is_no_math_is_refused() -> None:
    assert to_safe_mathml("<p>x</p>") is None
    assert to_safe_mathml("<math><mi>") is None
    assert to_safe_mathml('<!DOCTYPE a [<!ENTITY b "c">]><math>&b;</math>') is None
