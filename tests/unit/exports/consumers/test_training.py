"""One step of training with what we export, where torch and trl are installed: nothing else proves as much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports.accounting import Accounting
from exports.formats import get
from exports.options import ExportOptions
from tests.unit.exports.samples import prompt, task, wins

torch = pytest.importorskip("torch")
trl = pytest.importorskip("trl")
transformers = pytest.importorskip("transformers")
VOCABULARY = 300


def rows(name: str, folder: Path, **options: Any) -> Any:
    """The rows of six tasks, loaded from a file as a trainer loads them."""
    from datasets import load_dataset

    path = folder / "train.jsonl"
    records = [task(prompt(wins("a", margin=2), wins("b", margin=1)), key=f"t{number}") for number in range(6)]
    with path.open("w") as file:
        for row in get(name).write(records, ExportOptions(**options), Accounting()):
            file.write(json.dumps(row) + "\n")
    return load_dataset("json", data_files=str(path), split="train")


def tokenizer() -> Any:
    """Letters as tokens, with the plainest of chat templates."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    words = {word: number for number, word in enumerate(["<pad>", "<eos>", *sorted(alphabet)])}
    made = Tokenizer(models.BPE(vocab=words, merges=[], unk_token="<pad>"))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>")
    fast.chat_template = (
        "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + eos_token }}{% endfor %}"
        "{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"
    )
    return fast


def config(**changes: Any) -> Any:
    return transformers.LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=1024,
        pad_token_id=0,
        eos_token_id=1,
        **changes,
    )


def settings(kind: Any, folder: Path) -> Any:
    return kind(
        output_dir=str(folder), max_steps=1, per_device_train_batch_size=2, report_to=[], use_cpu=True, bf16=False
    )


def train(trainer: Any) -> float:
    """One step; the loss."""
    loss = float(trainer.train().training_loss)
    assert loss == loss, "The loss is no number."
    return loss


def test_reward_trainer_takes_pairs_with_margins(tmp_path: Path) -> None:
    data = rows("trl_reward", tmp_path, margin="absolute")
    assert "margin" in data.column_names
    model = transformers.LlamaForSequenceClassification(config(num_labels=1))
    arguments = settings(trl.RewardConfig, tmp_path)
    train(trl.RewardTrainer(model=model, args=arguments, train_dataset=data, processing_class=tokenizer()))


def test_dpo_trainer_takes_pairs(tmp_path: Path) -> None:
    model, reference = (transformers.LlamaForCausalLM(config()) for _ in range(2))
    data = rows("trl_preference", tmp_path)
    arguments = settings(trl.DPOConfig, tmp_path)
    train(
        trl.DPOTrainer(
            model=model, ref_model=reference, args=arguments, train_dataset=data, processing_class=tokenizer()
        )
    )


def test_kto_trainer_takes_labelled_completions(tmp_path: Path) -> None:
    model, reference = (transformers.LlamaForCausalLM(config()) for _ in range(2))
    data = rows("trl_unpaired", tmp_path)
    assert set(data["label"]) == {True, False}
    arguments = settings(trl.KTOConfig, tmp_path)
    train(
        trl.KTOTrainer(
            model=model, ref_model=reference, args=arguments, train_dataset=data, processing_class=tokenizer()
        )
    )
