"""The markdown that models write, as it comes out."""

from __future__ import annotations

from annotate.rendering import RENDER_VERSION, render, word_count


def html(text: str) -> str:
    return render(text, doc_id="a")


def test_render_version_is_a_positive_number() -> None:
    assert RENDER_VERSION >= 1


def test_four_tick_fence_holds_a_three_tick_fence() -> None:
    out = html("````markdown\n# T\n\n```python\nprint('hi')\n```\n````\n")
    assert out.count("<figure") == 1
    assert "```python" in out


def test_three_in_three_fence_closes_early_as_commonmark_says() -> None:
    out = html("```markdown\n# T\n```python\nx=1\n```\nafter\n\n```\n")
    assert out.count("<figure") == 2
    assert '<p dir="auto">after</p>' in out


def test_latex_fence_stays_code_and_math_fence_is_typeset() -> None:
    assert "<math" not in html("```latex\n\\frac{a}{b}\n```")
    assert "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html("```math\n\\frac{a}{b}\n```")
    assert "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html("$$\n\\frac{a}{b}\n$$")


def test_every_math_delimiter_is_typeset() -> None:
    text = (
        "Inline \\(a^2\\) and $x_1$ and $$y^2$$ inline.\n\n\\[\n\\sum_{i=1}^n i\n\\]\n\nText \\[ z = 1 \\] tail.\n\n"
        "- item\n  \\[ q = \\frac{1}{2} \\]\n\n\\begin{align}\na &= b\\\\\nc &= d\n\\end{align}\n"
    )
    out = html(text)
    assert out.count("<math") == 7
    assert "tex-src" not in out
    assert '<li dir="auto">item<div class="math block">' in out
    assert "(1)" not in out  # no equation numbers that the author did not write


def test_display_math_in_a_sentence_does_not_split_the_paragraph() -> None:
    assert html("a $$y$$ b").count("<p ") == 1


def test_currency_stays_text() -> None:
    for text in (
        "It costs $5 and $10, or $5-$10; US$3 each.",
        "Between $20 and $30 million.",
        "The price is $5/month.",
        "I have $5. You have \\$7.",
    ):
        assert "<math" not in html(text), text
        assert "tex-src" not in html(text), text


def test_math_next_to_currency_is_typeset() -> None:
    assert html("I have $5. But $x=5$ is math, $5/month vs $x/y$.").count("<math") == 2


def test_html_is_shown_not_dropped() -> None:
    out = html("<thinking>plan</thinking> <b>bold</b> a<br>b<br/>c")
    assert "&lt;thinking&gt;plan&lt;/thinking&gt; &lt;b&gt;bold&lt;/b&gt;" in out
    assert out.count("<br>") == 2


def test_table_has_a_scroll_region_and_classes_for_alignment() -> None:
    out = html("| A | B | C |\n|:--|:-:|--:|\n" + "| 1 | **2** | 3 |\n" * 500)
    assert '<div class="table-wrap" tabindex="0" role="group" aria-label="Table"><table>' in out
    assert [out.count(f'<td dir="auto" class="a-{side}">') for side in "lcr"] == [500, 500, 500]
    assert "style" not in out


def test_every_block_takes_its_own_direction_and_code_is_left_to_right() -> None:
    out = html("## مرحبا\n\nنص `code`\n\n- عنصر\n- English\n\n> اقتباس\n")
    assert '<h4 dir="auto">' in out  # two levels down: the page has its own h1 and h2
    assert '<li dir="auto">English' in out
    assert '<blockquote dir="auto">' in out
    assert '<code dir="ltr">code</code>' in out


def test_emphasis_next_to_cjk_text() -> None:
    assert "<strong>重点：</strong>这" in html("**重点：**这是测试。")
    assert "<strong>「重点」</strong>で" in html("**「重点」**です。")
    assert "这<strong>「重点」</strong>" in html("这**「重点」**")
    assert "<strong>강조</strong>는" in html("한국어 **강조**는")


def test_emphasis_elsewhere_follows_commonmark() -> None:
    assert html("a**(b)**c") == '<p dir="auto">a**(b)**c</p>\n'
    assert html("snake_case_name 中_a_中") == '<p dir="auto">snake_case_name 中_a_中</p>\n'
    assert html("**a** *b* ***c***").count("<strong>") == 2


def test_bidi_controls_are_made_visible_everywhere() -> None:
    out = html("\u202eevil\u202c `\u2066x` $\u2067$\n\n```\n\u2069\n```\n")
    assert not set("\u202e\u202c\u2066\u2067\u2069") & set(out)
    assert "⟨U+202E⟩evil⟨U+202C⟩" in out


def test_emoji_sequences_are_kept() -> None:
    assert "👩‍👩‍👧‍👦 🇫🇷 👍🏽 e\u0301" in html("👩‍👩‍👧‍👦 🇫🇷 👍🏽 e\u0301")


def test_code_is_coloured_by_classes_and_unknown_languages_stay_plain() -> None:
    assert '<span class="t-gd">- old &lt;b&gt;</span>' in html("```diff\n- old <b>\n+ new\n```")
    assert "<code>x&lt;y\n</code>" in html("```nosuchlang\nx<y\n```")
    assert "<figcaption>mermaid</figcaption>" in html("```mermaid\ngraph TD\n```")
    assert "<figcaption>text</figcaption>" in html("a\n\n    indented")


def test_footnotes_have_ids_of_their_document_and_stay_in_the_page() -> None:
    text = "Claim[^1].\n\n[^1]: Source **x**.\n"
    first, second = render(text, doc_id="r1"), render(text, doc_id='r2" onload="x')
    assert 'href="#fn-r1-1" id="fnref-r1-1"' in first
    assert 'id="fn-r1-1"' in first
    assert "target" not in first
    assert 'id="fn-r2--onload--x-1"' in second


def test_caret_bracket_in_a_sentence_is_no_footnote() -> None:
    assert "[a-z]" in html("matches ^[a-z]+ only")
    assert "footnote" not in html("matches ^[a-z]+ only")


def test_task_list_boxes_are_disabled_and_named() -> None:
    out = html("- [ ] todo\n- [x] gone ~~now~~\n")
    assert out.count('type="checkbox"') == out.count('disabled="disabled"') == 2
    assert 'aria-label="not done"' in out
    assert 'aria-label="done"' in out
    assert "<s>now</s>" in out


def test_links_open_elsewhere_and_show_their_address_as_written() -> None:
    out = html('[ok](https://example.com "t") https://xn--mnchen-3ya.de/a%20b?c=1&d=2')
    assert out.count('target="_blank" rel="noopener noreferrer nofollow"') == 2
    assert ">https://xn--mnchen-3ya.de/a%20b?c=1&amp;d=2</a>" in out


def test_image_becomes_a_box_that_says_so() -> None:
    out = html("[![alt <x>](https://evil.example/b.svg)](https://e.org)")
    assert "<img" not in out
    assert 'remote image not loaded <em>alt &lt;x&gt;</em> <code dir="ltr">https://evil.example/b.svg</code>' in out


def test_text_nested_too_deeply_is_shown_as_written() -> None:
    text = "> " * 300 + "the end"
    assert html(text) == f'<pre class="plain" dir="auto">{text.replace(">", "&gt;")}</pre>'


def test_word_count_of_words_marks_and_ideographs() -> None:
    assert word_count("It's a well-known fact — 42 & more.") == 6
    assert word_count("这是 test です") == 5
    assert word_count("") == word_count("— …\n") == 0
