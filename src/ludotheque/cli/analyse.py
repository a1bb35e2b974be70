"""`ludotheque analyse`: a record move by move, as a strong player sees it, and a plot of how hopes went."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, err, out
from ludotheque.cli.options import File, Lang
from ludotheque.cli.screen import person
from ludotheque.pictures.output import curve
from ludotheque.pictures.output.registry import has_picture
from ludotheque.search.analysis import outcome

if TYPE_CHECKING:
    from ludotheque.search.analysis import JudgedMove

Simulations = Annotated[
    int | None, typer.Option("--simulations", metavar="N", parser=options.number("simulations", 1))
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE")]


def analyse(
    context: typer.Context,
    *,
    file: File,
    simulations: Simulations = None,
    plot: Plot = None,
    _lang: Lang = None,
) -> None:
    messages: Messages = context.obj
    match = options.opened(file)
    if match.seats == 1:
        raise CommandError("analyse", "solo", file=file)
    steps = [_written(messages, match, step) for step in _walked(messages, match, simulations)]
    names = _names(messages, match)
    out().print(messages("analyse", "legend", names=", ".join(names)), soft_wrap=True)
    widest = max((len(step.move) for step in steps), default=0)
    for step in steps:
        out().print(_said(messages, names, step, widest), soft_wrap=True)
    _summary(messages, match, steps)
    if plot:
        try:
            plot.write_text(drawn(messages, match, steps), encoding="utf-8")
        except OSError as error:
            raise options.unreachable(plot, error) from None
        out().print(messages("analyse", "plot", file=plot))


def _walked(messages: Messages, match: Match, simulations: int | None) -> "list[JudgedMove]":
    from ludotheque.search import analysis  # noqa: PLC0415 - numba takes long to import

    console = err()
    moves = sum(1 for actor, _ in match.events if actor != "luck")
    steps = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(messages("analyse", "thinking"), total=moves)
        for step in analysis.walk(match, analysis.local_judge(simulations or analysis.simulations_for(match))):
            steps.append(step)
            progress.advance(task)
    return steps


def _written(messages: Messages, match: Match, step: "JudgedMove") -> "JudgedMove":
    """The same with its moves as they are written in the reader's language."""
    move, best, *line = (messages.written(match, text) for text in (step.move, step.best or "", *step.line))
    return replace(step, move=move, best=best or None, line=tuple(line))


def _names(messages: Messages, match: Match) -> list[str]:
    return [Text.from_markup(person(messages, match, seat)).plain for seat in range(match.seats)]


def _said(messages: Messages, names: list[str], step: "JudgedMove", widest: int) -> str:
    who = names[step.seat].ljust(max(map(len, names)))
    hopes = " ".join(f"{100 * hope:3.0f}" for hope in step.hopes)
    line = f"[dim]{step.number + 1:3}[/] {escape(who)}  [bold]{escape(step.move.ljust(widest))}[/]  [dim]{hopes}[/]"
    if step.proven:
        line += f"  {messages('analyse', 'proven')}"
    if step.kind and step.better:
        cost = f"{100 * step.cost:.0f}"
        line += "  " + messages("analyse", step.kind, better=step.better, cost=cost)
    return line


def _summary(messages: Messages, match: Match, steps: "list[JudgedMove]") -> None:
    from ludotheque.search import analysis  # noqa: PLC0415 - numba takes long to import

    ended = analysis.by_rules(match)
    turns = analysis.turning_points(steps, ended)
    out().print(messages("analyse", "turns" if turns else "no-turns"))
    swings = analysis.swings(steps, ended)
    for step in turns:
        told = {"number": step.number + 1, "who": person(messages, match, step.seat), "move": step.move}
        if step.better:
            out().print(messages("analyse", "turn", **told, line=", ".join(step.line) or step.better), soft_wrap=True)
        else:
            seat, before, after = swings[step.number]
            told |= {
                "whose": person(messages, match, seat),
                "before": round(100 * before),
                "after": round(100 * after),
            }
            out().print(messages("analyse", "swing", **told), soft_wrap=True)


def drawn(messages: Messages, match: Match, steps: "list[JudgedMove]") -> str:
    """What each seat could hope for over the match, as SVG; turning points are marked."""
    points = [curve.Point(step.number, step.hopes) for step in steps if step.hopes]
    if match.over:
        points.append(curve.Point(match.length, outcome(match)))
    marks = [
        curve.Mark(step.number, step.seat, step.hopes[step.seat], f"{step.number + 1}. {step.move}")
        for step in steps
        if step.kind and step.hopes
    ]
    names, game = _names(messages, match), match.game if has_picture(match.game) else None
    return curve.render(points, marks, names, len(match.events), said=messages("analyse", "curve"), game=game)
