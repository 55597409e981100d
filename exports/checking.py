"""What must hold between a record and the project that it is imported into. Nothing is written here."""

import unicodedata
from collections.abc import Iterator

from annotate.media.probing import MediaError, probe
from annotate.models import Asset, Dimension, Membership, Project, Task
from annotate.models.annotations import MAX_MARGIN
from annotate.queries.judging import current_dimensions, dimension_spec
from annotate.rules.judgement import RatingValue, rating_problems
from exports.bundle import Bundle
from exports.problems import Problem, ProblemError, ProblemList, describe
from exports.records import AnnotationRecord, Part, PromptRecord, RatingRecord, TaskRecord

CHUNK = 500
MAX_INT, MAX_OVERLAP = 2**31 - 1, 2**15 - 1  # what the database columns hold


def parts_of(record: TaskRecord) -> Iterator[tuple[str, Part]]:
    """Yield (field path, part) for every part of the record."""
    for m, message in enumerate(record.context):
        yield from ((f"context[{m}].content[{i}]", part) for i, part in enumerate(message.content))
    for p, prompt in enumerate(record.prompts):
        yield from ((f"prompts[{p}].content[{i}]", part) for i, part in enumerate(prompt.content))
        for r, response in enumerate(prompt.responses):
            where = f"prompts[{p}].responses[{r}].content"
            yield from ((f"{where}[{i}]", part) for i, part in enumerate(response.content))
        for a, annotation in enumerate(prompt.annotations):
            for w, rewrite in enumerate(annotation.rewrites):
                where = f"prompts[{p}].annotations[{a}].rewrites[{w}].content"
                yield from ((f"{where}[{i}]", part) for i, part in enumerate(rewrite.content))


class Checker:
    """Checks records against the project, row by row; ids that already exist are looked up 500 at a time."""

    def __init__(self, project: Project, bundle: Bundle, problems: ProblemList) -> None:
        self.project, self.bundle, self.problems = project, bundle, problems
        self.dimensions: dict[str, Dimension] = {d.key: d for d in current_dimensions(project)}
        self.seen: dict[str, int] = {}
        self.waiting: dict[str, int] = {}
        self.known_media: dict[str, str | None] = {}
        members = Membership.objects.filter(project=project, user__is_imported=False)
        self.real_pseudonyms = set(members.values_list("pseudonym", flat=True))

    def check(self, line: int, record: TaskRecord) -> None:
        """Report everything in the record that the project cannot take."""
        self._external_id(line, record.id)
        self._bound(line, "priority", record.priority, -MAX_INT, MAX_INT)
        self._bound(line, "overlap", record.overlap, 1, MAX_OVERLAP)
        for index, prompt in enumerate(record.prompts):
            self._prompt(line, f"prompts[{index}]", prompt)
        for field, part in parts_of(record):
            if part.type != "text":
                self._media(line, field, part)

    def finish(self) -> None:
        """Look up the ids that are still waiting. Call after the last record."""
        known = Task.objects.filter(project=self.project, external_id__in=self.waiting)
        for external_id in known.values_list("external_id", flat=True):
            found = f"{describe(external_id)}, which the project already has"
            self._problem(self.waiting[external_id], "id", found, "an id that is new to the project")
        self.waiting = {}

    def _problem(self, line: int, field: str, found: str, expected: str) -> None:
        self.problems.add(Problem(self.bundle.file, line, field, found, expected))

    def _external_id(self, line: int, external_id: str) -> None:
        key = unicodedata.normalize("NFC", external_id)
        if key in self.seen:
            found = f"{describe(external_id)} again (first in row {self.seen[key]})"
            self._problem(line, "id", found, "ids that differ within the file")
            return
        self.seen[key] = line
        self.waiting[external_id] = line
        if len(self.waiting) >= CHUNK:
            self.finish()

    def _bound(self, line: int, field: str, value: int | None, least: int, most: int) -> None:
        if value is not None and not least <= value <= most:
            self._problem(line, field, f"the number {value}", f"a number from {least:,} to {most:,}")

    def _prompt(self, line: int, path: str, prompt: PromptRecord) -> None:
        count, least, most = len(prompt.responses), self.project.min_responses, self.project.max_responses
        if not least <= count <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self._problem(line, f"{path}.responses", f"{count} responses", f"{wanted}, as the project is configured")
        for index, annotation in enumerate(prompt.annotations):
            self._annotation(line, f"{path}.annotations[{index}]", annotation)

    def _annotation(self, line: int, path: str, annotation: AnnotationRecord) -> None:
        people = [(f"{path}.annotator", annotation.annotator)]
        people += [(f"{path}.reviews[{i}].reviewer", review.reviewer) for i, review in enumerate(annotation.reviews)]
        for field, pseudonym in people:
            if pseudonym in self.real_pseudonyms:
                found = f"{describe(pseudonym)}, the pseudonym of a member"
                self._problem(line, field, found, "a name that stands for nobody who works in this project")
        self._bound(line, f"{path}.margin", annotation.margin, 0, MAX_MARGIN)
        for field in ("seconds", "active_seconds", "idle_seconds"):
            self._bound(line, f"{path}.{field}", getattr(annotation, field), 0, MAX_INT)
        self._bound(line, f"{path}.rubric_version", annotation.rubric_version, 1, MAX_INT)
        for index, review in enumerate(annotation.reviews):
            if review.verdict == "return" and not review.comment:
                self._problem(line, f"{path}.reviews[{index}].comment", "nothing", "what the author was asked to mend")
        for index, rating in enumerate(annotation.ratings):
            self._rating(line, f"{path}.ratings[{index}]", rating)

    def _rating(self, line: int, path: str, rating: RatingRecord) -> None:
        dimension = self.dimensions.get(rating.dimension)
        if dimension is None:
            known = ", ".join(self.dimensions) or "no dimensions"
            expected = f"a dimension of the project ({known})"
            self._problem(line, f"{path}.dimension", describe(rating.dimension), expected)
            return
        if (rating.response is None) != (dimension.target == "comparison"):
            expected = "no response" if dimension.target == "comparison" else "the id of a response"
            self._problem(line, f"{path}.response", describe(rating.response), f"{expected} for {dimension.key}")
        value = RatingValue(
            rating.dimension, rating.response, rating.value, rating.text or "", tuple(rating.tags), "given"
        )
        if value.is_given:
            for message in rating_problems(value, dimension_spec(dimension)):
                self._problem(line, f"{path}.value", describe(rating.value), message.rstrip("."))

    def _media(self, line: int, field: str, part: Part) -> None:
        key = part.asset or f"path:{part.path}"
        if key not in self.known_media:
            self.known_media[key] = self._media_problem(part)
        found = self.known_media[key]
        if found:
            name = "asset" if part.asset else "path"
            self._problem(line, f"{field}.{name}", found, f"a usable {part.type} in the uploaded zip")

    def _media_problem(self, part: Part) -> str | None:
        """What is wrong with the file, or None. Decodes it whole, so that nothing broken is found half-way through."""
        if part.asset:
            known = Asset.objects.filter(sha256=part.asset, kind=part.type).exists()
            return None if known else f"{part.asset[:12]}…, which is not stored here"
        try:
            data = self.bundle.media(part.path or "")
            if data is None:
                return f"{describe(part.path)}, which the upload does not hold"
            kind = probe(data).kind
        except ProblemError as error:
            return error.problem.found
        except MediaError as error:
            return str(error)
        return None if kind == part.type else f"{describe(part.path)}, which holds {kind}"
