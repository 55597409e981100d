"""What must hold between a record and the project that it is imported into. Nothing is written here."""

from collections.abc import Iterator

from annotate.models import Dimension, Membership, Project
from annotate.models.annotations import MAX_MARGIN
from annotate.queries.judging import current_dimensions, dimension_spec
from annotate.rules.judgement import RatingValue, rating_problems
from exports.import_choices import ImportChoices
from exports.media_desk import MediaDesk
from exports.problems import Problem, ProblemList, describe
from exports.records import AnnotationRecord, Part, PromptRecord, RatingRecord, TaskRecord

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


def has_files(record: TaskRecord) -> bool:
    """Whether the record uses any file; many times faster than looking at `parts_of`."""
    for message in record.context:
        for part in message.content:
            if part.type != "text":
                return True
    for prompt in record.prompts:
        for part in prompt.content:
            if part.type != "text":
                return True
        for response in prompt.responses:
            for part in response.content:
                if part.type != "text":
                    return True
        if prompt.annotations and any(
            part.type != "text" for a in prompt.annotations for rewrite in a.rewrites for part in rewrite.content
        ):
            return True
    return False


class Checker:
    """Checks one record after the other against the project. Ids are not its concern."""

    def __init__(self, project: Project, problems: ProblemList, desk: MediaDesk, choices: ImportChoices) -> None:
        self.project, self.problems, self.desk, self.choices = project, problems, desk, choices
        self.dimensions: dict[str, Dimension] = {d.key: d for d in current_dimensions(project)}
        self.specs = {key: dimension_spec(dimension) for key, dimension in self.dimensions.items()}
        members = Membership.objects.filter(project=project, user__is_imported=False)
        self.real_pseudonyms = set(members.values_list("pseudonym", flat=True))
        self.file = ""

    def misfit(self, record: TaskRecord) -> str:
        """Say why the project cannot show the record at all, or "" if it can."""
        least, most = self.project.min_responses, self.project.max_responses
        for prompt in record.prompts:
            if not least <= (count := len(prompt.responses)) <= most:
                return "1 response" if count == 1 else f"{count} responses"
        return ""

    def check(self, line: int, record: TaskRecord) -> int:
        """Report everything in the record that the project cannot take; return the number of its media."""
        self._bound(line, "priority", record.priority + self.choices.priority, -MAX_INT, MAX_INT)
        self._bound(line, "overlap", record.overlap, 1, MAX_OVERLAP)
        for index, prompt in enumerate(record.prompts):
            self._prompt(line, f"prompts[{index}]", prompt)
        if not has_files(record):
            return 0
        media = [(field, part) for field, part in parts_of(record) if part.type != "text"]
        for field, part in media:
            if found := self.desk.problem(part, self.file):
                name = "asset" if part.asset else "path"
                self._problem(line, f"{field}.{name}", found, f"a usable {part.type} in the upload")
        return len(media)

    def _problem(self, line: int, field: str, found: str, expected: str) -> None:
        self.problems.add(Problem(self.file, line, field, found, expected))

    def _bound(self, line: int, field: str, value: int | None, least: int, most: int) -> None:
        if value is not None and not least <= value <= most:
            self._problem(line, field, f"the number {value}", f"a number from {least:,} to {most:,}")

    def _prompt(self, line: int, path: str, prompt: PromptRecord) -> None:
        count, least, most = len(prompt.responses), self.project.min_responses, self.project.max_responses
        if not least <= count <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            found = "1 response" if count == 1 else f"{count} responses"
            self._problem(line, f"{path}.responses", found, f"{wanted}, as the project is configured")
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
            if self.choices.dimensions == "add":
                return
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
            for message in rating_problems(value, self.specs[dimension.key]):
                self._problem(line, f"{path}.value", describe(rating.value), message.rstrip("."))
