"""Runs the scenarios of anki-queue.txt through Anki's own scheduler (the Python package `anki`, without
its window) and prints the file with what Anki answers.

    python3 Tests/Golden/anki-queue.py Tests/Golden/anki-queue.txt

Lines that begin with '=' are written anew; all others are kept. Anki has no clock that can be set, so
Debian's libfaketime stands in for the system's: the program starts itself again with it. Status 3 says
that it is missing.
"""

import datetime
import glob
import os
import sys
import tempfile

LIBRARY = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
START = datetime.datetime(2026, 1, 5)


def run_with_a_clock_of_its_own():
    if not LIBRARY:
        print("libfaketime is missing: apt-get install libfaketime", file=sys.stderr)
        sys.exit(3)
    clock = tempfile.NamedTemporaryFile("w", prefix="anki-clock-", delete=False)
    clock.write("2026-01-05 10:00:00")
    clock.close()
    os.environ.update(
        LD_PRELOAD=LIBRARY[0], FAKETIME_TIMESTAMP_FILE=clock.name, FAKETIME_NO_CACHE="1", TZ="UTC")
    status = os.spawnv(os.P_WAIT, sys.executable, [sys.executable] + sys.argv)
    os.unlink(clock.name)
    sys.exit(status)


class Scenario:
    """One collection, one clock."""

    def __init__(self, options, names, folder):
        from anki.collection import Collection

        self.set_clock(0, "10:00")
        self.options = options
        self.collection = Collection(os.path.join(folder, "collection.anki2"))
        self.collection.set_config("rollover", int(options.get("dayStart", 4)))
        self.collection.set_config("collapseTime", 60 * int(options.get("aheadMinutes", 20)))
        ignore = options.get("newCardsCountAsReviews", "no") == "no"
        self.collection.set_config("newCardsIgnoreReviewLimit", ignore)
        self.other = self.collection.decks.id("other")
        self.collection.decks.select(1)
        self.configure()
        self.names = {}
        for name in names:
            note = name.split(".")[0]
            if note not in [other.split(".")[0] for other in self.names]:
                self.add_note(note, sum(other.split(".")[0] == note for other in names))

    def configure(self):
        options = self.options
        buries = options.get("siblings", "bury") == "bury"

        def steps(key, default):
            return [float(step) for step in options.get(key, default).split(",") if step]

        decks = self.collection.decks
        configuration = decks.config_dict_for_deck_id(1)
        configuration["new"].update(
            bury=buries, perDay=int(options.get("newPerDay", 20)),
            delays=steps("learningSteps", "1,10"))
        configuration["rev"].update(
            bury=buries, perDay=int(options.get("reviewsPerDay", 200)),
            maxIvl=int(options.get("maximumInterval", 1)))
        configuration["lapse"].update(
            delays=steps("relearningSteps", "10"), leechFails=int(options.get("leechAfter", 8)),
            leechAction=0 if options.get("leech", "suspend") == "suspend" else 1)
        # New cards as they were gathered, not by template; due cards by their day, of which equal ones
        # come at random, or by when they were added.
        configuration.update(
            buryInterdayLearning=buries, newSortOrder=1,
            reviewOrder={"due": 0, "added": 9}[options.get("order", "added")],
            newMix={"mixed": 0, "due-first": 1, "new-first": 2}[options.get("mix", "due-first")])
        decks.update_config(configuration)

    def add_note(self, name, siblings):
        kind = "Basic" if siblings == 1 else "Basic (and reversed card)"
        note = self.collection.new_note(self.collection.models.by_name(kind))
        note["Front"], note["Back"] = name, name + "!"
        self.collection.add_note(note, 1)
        for card in note.cards():
            self.names[f"{name}.{card.ord}"] = card.id

    def set_clock(self, day, time):
        hour, minute = time.split(":")
        self.now = START + datetime.timedelta(days=int(day), hours=int(hour), minutes=int(minute))
        self.write_clock()

    def write_clock(self):
        with open(os.environ["FAKETIME_TIMESTAMP_FILE"], "w") as file:
            file.write(self.now.strftime("%Y-%m-%d %H:%M:%S"))

    def top(self):
        queued = self.collection.sched.get_queued_cards(fetch_limit=1).cards
        return queued[0] if queued else None

    def name(self, number):
        return next(name for name, card in self.names.items() if card == number)

    def flags(self, card):
        text = " suspended" if card.queue == -1 else " buried" if card.queue == -3 else ""
        return text + (" leech" if "leech" in card.note().tags else "")

    def answer(self, word):
        queued = self.top()
        if queued is None:
            return None
        rating = ["again", "hard", "good", "easy"].index(word)
        card = self.collection.get_card(queued.card.id)
        card.start_timer()
        scheduler = self.collection.sched
        scheduler.answer_card(
            scheduler.build_answer(card=card, states=queued.states, rating=rating))
        self.now += datetime.timedelta(seconds=10)
        self.write_clock()
        return card.id

    def state(self, name):
        card = self.collection.get_card(self.names[name])
        if card.type == 0:
            return f"{name} new" + self.flags(card)
        kind = ["new", "learning", "review", "relearning"][card.type]
        wait = f" {card.due - self.collection.sched.today}d" if card.type == 2 else ""
        return f"{name} {kind}{wait} {card.reps}/{card.lapses}" + self.flags(card)

    def run(self, command):
        """What a command gives; None where it gives nothing."""
        words = command.split()
        scheduler = self.collection.sched
        match words:
            case ["clock", day, time]:
                self.set_clock(day, time)
                # Anki looks at the clock when something happens, as when its list of decks is shown.
                scheduler.deck_due_tree()
                self.collection.decks.select(self.other)
                self.collection.decks.select(1)
            case ["top"]:
                queued = self.top()
                return self.name(queued.card.id) if queued else "none"
            case ["all", word]:
                served = []
                while len(served) < 40 and (number := self.answer(word)) is not None:
                    served.append(self.name(number))
                return " ".join(served) or "none"
            case ["again" | "hard" | "good" | "easy" as word]:
                number = self.answer(word)
                if number is None:
                    return "none"
                interval = self.collection.db.scalar(
                    "SELECT ivl FROM revlog WHERE cid = ? ORDER BY id DESC LIMIT 1", number)
                wait = f"{-interval}s" if interval < 0 else f"{interval}d"
                return f"{self.name(number)} {wait}" + self.flags(self.collection.get_card(number))
            case ["say", "suspend"]:
                queued = self.top()
                scheduler.suspend_cards([queued.card.id])
                return self.name(queued.card.id)
            case ["say", "bury"]:
                queued = self.top()
                scheduler.bury_cards([queued.card.id])
                return self.name(queued.card.id)
            case ["suspend", name]:
                scheduler.suspend_cards([self.names[name]])
            case ["bury", name]:
                scheduler.bury_cards([self.names[name]])
            case ["resume", name]:
                scheduler.unsuspend_cards([self.names[name]])
                scheduler.unbury_cards([self.names[name]])
            case ["undo"]:
                self.collection.undo()
            case ["cards"]:
                return "; ".join(self.state(name) for name in self.names)
            case _:
                raise SystemExit(f"unknown command: {command}")
        return None


def main():
    if "FAKETIME_TIMESTAMP_FILE" not in os.environ:
        run_with_a_clock_of_its_own()
    scenario, options = None, {}
    with open(sys.argv[1]) as file, tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(file):
            line = line.rstrip("\n")
            if line.startswith("="):
                continue
            print(line)
            if line.startswith("options"):
                options = dict(word.split("=") for word in line.split()[1:])
            elif line.startswith("cards"):
                place = os.path.join(folder, str(number))
                os.mkdir(place)
                if scenario:
                    scenario.collection.close()
                scenario, options = Scenario(options, line.split()[1:], place), {}
            elif line.startswith("> "):
                result = scenario.run(line[2:])
                if result is not None:
                    print("= " + result)
        if scenario:
            scenario.collection.close()


main()
