"""The formats of datasets, by name. To add one, write its file and list it here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from exports.formats.align_anything import AlignAnything
from exports.formats.alpaca_eval import AlpacaEval
from exports.formats.arena import Arena
from exports.formats.argilla import Argilla
from exports.formats.axolotl import Axolotl
from exports.formats.base import Format, FormatError
from exports.formats.columns import Columns
from exports.formats.dataloop import Dataloop
from exports.formats.flat import Annotations, Ratings
from exports.formats.grouped import Grouped
from exports.formats.helpsteer3 import HelpSteer3
from exports.formats.helpsteer_reading import HelpSteer2, HelpSteer2Preference
from exports.formats.hh_rlhf import HhRlhf
from exports.formats.hpd import Hpd
from exports.formats.image_reward import ImageReward
from exports.formats.label_studio import LabelStudio
from exports.formats.llama_factory import LlamaFactoryKto, LlamaFactoryPair, LlamaFactoryVision
from exports.formats.llmbar import LlmBar
from exports.formats.ms_swift import MsSwift, MsSwiftVision
from exports.formats.mt_bench import MtBench, MtBenchAnswers
from exports.formats.nectar import Nectar
from exports.formats.nemo_rl import NemoRl
from exports.formats.open_assistant import OpenAssistant
from exports.formats.openai_chat import OpenAiChat
from exports.formats.openai_preference import OpenAiPreference
from exports.formats.openrlhf import OpenRlhf
from exports.formats.pairwise import Pairwise
from exports.formats.pandalm import PandaLm
from exports.formats.pick_a_pic import PickAPic
from exports.formats.prism import Prism
from exports.formats.ranked import Ranked
from exports.formats.reward_bench import RewardBench
from exports.formats.safe_rlhf import SafeRlhf
from exports.formats.scale import Scale
from exports.formats.shp import Shp
from exports.formats.summarize_from_feedback import SummarizeFromFeedback
from exports.formats.tiebreak import Tiebreak
from exports.formats.trl_implicit import TrlImplicit
from exports.formats.trl_preference import TrlPreference
from exports.formats.trl_prompt_completion import TrlPromptCompletion
from exports.formats.trl_prompt_only import TrlPromptOnly
from exports.formats.trl_reward import TrlReward
from exports.formats.trl_unpaired import TrlUnpaired
from exports.formats.trl_vision import TrlVision
from exports.formats.turbo_alignment_answers import (
    TurboAlignmentChat,
    TurboAlignmentClassification,
    TurboAlignmentKto,
)
from exports.formats.turbo_alignment_ddpo import TurboAlignmentDdpo
from exports.formats.turbo_alignment_multimodal import TurboAlignmentMultimodal
from exports.formats.turbo_alignment_pairs import TurboAlignmentPairs
from exports.formats.turbo_alignment_sampling import TurboAlignmentSampling
from exports.formats.ultrafeedback import UltraFeedback
from exports.formats.verl import Verl
from exports.formats.vl_feedback import VlFeedback
from exports.formats.webgpt import WebGpt

__all__ = ["FORMATS", "Format", "FormatError", "choose", "detect", "get"]

_ALL: tuple[Format, ...] = (
    Tiebreak(),
    TrlPreference(),
    TrlReward(),
    TrlUnpaired(),
    TrlPromptCompletion(),
    TrlVision(),
    TrlImplicit(),
    TurboAlignmentPairs(),
    TurboAlignmentChat(),
    TurboAlignmentSampling(),
    TurboAlignmentClassification(),
    TurboAlignmentKto(),
    TurboAlignmentDdpo(),
    TurboAlignmentMultimodal(),
    Pairwise(),
    OpenAiPreference(),
    OpenAiChat(),
    LlamaFactoryPair(),
    LlamaFactoryVision(),
    LlamaFactoryKto(),
    Axolotl(),
    OpenRlhf(),
    MsSwift(),
    MsSwiftVision(),
    NemoRl(),
    Verl(),
    HhRlhf(),
    Grouped(),
    HelpSteer3(),
    UltraFeedback(),
    Arena(),
    Scale(),
    Dataloop(),
    Ranked(),
    Annotations(),
    Ratings(),
    HelpSteer2(),
    HelpSteer2Preference(),
    Nectar(),
    MtBench(),
    MtBenchAnswers(),
    OpenAssistant(),
    ImageReward(),
    Hpd(),
    PickAPic(),
    PandaLm(),
    LlmBar(),
    AlpacaEval(),
    SafeRlhf(),
    Shp(),
    WebGpt(),
    SummarizeFromFeedback(),
    Prism(),
    RewardBench(),
    VlFeedback(),
    AlignAnything(),
    TrlPromptOnly(),
    LabelStudio(),
    Argilla(),
    Columns(),
)
FORMATS: dict[str, Format] = {each.name: each for each in _ALL}

ROWS_TO_LOOK_AT = 20


def get(name: str) -> Format:
    """The format called `name`. Raises `FormatError` that lists the known ones."""
    if name not in FORMATS:
        raise FormatError(f"There is no format called {name!r}. Known formats: {', '.join(FORMATS)}.")
    return FORMATS[name]


def detect(rows: Iterable[object]) -> list[str]:
    """The names of all readable formats that each of the first rows could be in."""
    looked_at = list(islice(rows, ROWS_TO_LOOK_AT))
    readable = [each for each in FORMATS.values() if each.can_read]
    return [each.name for each in readable if looked_at and all(each.sniff(row) for row in looked_at)]


def choose(rows: Iterable[object]) -> Format:
    """The one format that the rows are in. Raises `FormatError` when none or several fit: nothing is guessed."""
    names = detect(rows)
    if len(names) == 1:
        return FORMATS[names[0]]
    what = f"The rows fit several formats ({', '.join(names)})" if names else "The rows fit no known format"
    raise FormatError(f"{what}. Name the format with --format. Known formats: {', '.join(FORMATS)}.")
