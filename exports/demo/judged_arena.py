"""Judgements of the tasks of `open-arena`, by task and annotator."""

from __future__ import annotations

from exports.demo.scripted import DemoJudgement, PromptJudgement, better, only

POSTER = {
    "mina": only(
        better(
            "r2",
            None,
            "The poster with the cream background shows title, day and place from far away. The one with the flowers says "
            "Sunday, spells it 'Swapp', and the address runs off the edge.",
        )
    ),
    "tomas": only(
        better(
            "r2",
            None,
            "Pale yellow on pale green cannot be read across a street, and the day is wrong. The three potted plants in "
            "front of the sun make clear what it is about before you read a word.",
        )
    ),
    "yusuf": only(
        better(
            "r2",
            None,
            "Every fact of the prompt is on the one with the dark green block. On the flowery one the day is Sunday and the "
            "house number is cut off: people would not come.",
        )
    ),
}

RENT = {
    "mina": only(
        better(
            "r1",
            None,
            "Forty-nine words, all facts, one apology. The long one is more than twice the limit and is all about the "
            "stress, which was the 'drama' that they did not want.",
        )
    ),
    "aiko": only(
        better(
            "r1",
            None,
            "The short e-mail keeps the limit and says when things will be normal again. The other promises that it 'will "
            "never happen again', which is not theirs to promise.",
        )
    ),
}

SKY = {
    "tomas": only(
        better(
            "r1",
            None,
            "The sky does not reflect the sea. The explanation with the lazy and the wiggly waves is true, and a child can "
            "picture it; the other ends with an inverse fourth power.",
        )
    ),
    "yusuf": only(
        better(
            "r1",
            None,
            "I would read the one with 'ping, ping, ping' to my son. The mirror story is sweet but wrong, and children "
            "remember such things for years.",
        )
    ),
}

HAIKU = {
    "mina": only(
        PromptJudgement(
            "winner",
            "r2",
            ranking=[["r2"], ["r1"], ["r3"]],
            justification=(
                "The one about the departure board counts 5-7-5 and shows winter through breath alone. The one with the "
                "glove is the most beautiful but begins with the forbidden word. The third counts 6-7-7 and explains itself."
            ),
        )
    ),
    "aiko": only(
        PromptJudgement(
            "winner",
            "r2",
            ranking=[["r2"], ["r1", "r3"]],
            justification=(
                "Only the poem with the whispering board keeps both rules. A forbidden word and a wrong count of syllables "
                "weigh the same for me, so the other two share the second place."
            ),
        )
    ),
}

CHIME = {
    "tomas": only(
        better(
            "r1",
            None,
            "The bell rises and settles on the note it started from. The buzzer repeats a tense interval and stops in the "
            "middle; two hundred times a day would be torture.",
        )
    ),
    "yusuf": only(
        better(
            "r1",
            None,
            "One sounds like a glass being touched, the other like a wrong answer in a quiz show. The first also fades, so "
            "that it does not cut into a conversation.",
        )
    ),
}

TRAIN = {
    "mina": only(
        PromptJudgement(
            "all_bad",
            justification=(
                "22:47 to 06:12 is 7 h 25 min and the meeting is reached at 06:47. One gets the journey wrong by an hour, "
                "the other the arrival by twenty minutes. I could rely on neither."
            ),
        )
    ),
    "tomas": only(
        better(
            "r1",
            None,
            "Both have one mistake. The answer that says 8 h 25 min shows the right summands and gets the part that "
            "matters: you make the meeting with 13 minutes left. The other would make me cancel it for nothing.",
        )
    ),
}

PANCAKES = {
    "aiko": only(
        better(
            "r2",
            None,
            "All amounts times 1.5: 375 g, 750 ml, 3 eggs, 45 g. The other table rounds the milk down and doubles the eggs, "
            "which makes an omelette.",
        )
    ),
    "yusuf": only(
        better(
            "r2",
            None,
            "Asked for a small table with old and new amounts, and this one is right in every row. The one with four eggs "
            "changed the recipe without being asked.",
        )
    ),
}

JUDGEMENTS: dict[str, dict[str, DemoJudgement]] = {
    "oa-plant-poster": POSTER,
    "oa-late-rent": RENT,
    "oa-blue-sky": SKY,
    "oa-station-haiku": HAIKU,
    "oa-ready-chime": CHIME,
    "oa-night-train": TRAIN,
    "oa-pancakes": PANCAKES,
}
