import CardFeed

extension FeedStoreConformance {
  static let numberChecks: [Check] = [
    Check("numbers are dense from 1 and never change") { bench in
      let first = try await bench.numbers("a", "b", "c")
      try requireEqual(first.map(\.rawValue), [1, 2, 3], "the first three numbers")
      let second = try await bench.numbers("c", "d", "a", "d")
      try requireEqual(second.map(\.rawValue), [3, 4, 1, 4], "numbers asked for again")
      try await bench.reopen()
      let third = try await bench.numbers("e", "b")
      try requireEqual(third.map(\.rawValue), [5, 2], "numbers after opening anew")
    },
    Check("identifiers are bytes: case, Unicode twins and zero bytes differ") { bench in
      let ids = [
        CardID("A"), CardID("a"), CardID("\u{e9}"), CardID("e\u{301}"), CardID(bytes: []),
        CardID(bytes: [0]), CardID(bytes: [0, 0]), CardID(bytes: [65, 0]),
        CardID(bytes: [65, 0, 66]), CardID(bytes: [255, 254]), CardID("1"), CardID("01"),
        CardID("1 "),
      ]
      let numbers = try await bench.store.numbers(for: ids)
      try requireEqual(Set(numbers).count, ids.count, "different numbers")
      try await bench.reopen()
      try requireEqual(try await bench.store.numbers(for: ids), numbers, "numbers asked for again")
      let back = try await bench.store.ids(for: numbers)
      try requireEqual(back.map { $0?.bytes }, ids.map { $0.bytes }, "bytes of the identifiers")
    },
    Check("an unknown number has no identifier") { bench in
      let known = try await bench.number("a")
      let ids = try await bench.store.ids(for: [CardNumber(99), known, CardNumber(0)])
      try requireEqual(ids, [nil, "a", nil], "identifiers")
    },
    Check("many tasks that ask for the same new identifiers get the same dense numbers") { bench in
      let ids = (0..<20).map { CardID("id-\($0)") }
      let answers = try await bench.together(
        (0..<16).map { round in
          { @Sendable in
            let order = round % 2 == 0 ? ids : ids.reversed()
            let numbers = try await bench.store.numbers(for: order)
            return round % 2 == 0 ? numbers : numbers.reversed()
          }
        })
      try require(
        Set(answers).count == 1, "tasks were told different numbers for one identifier")
      try requireEqual(
        Set(answers.first ?? []), Set((1...20).map { CardNumber($0) }), "the numbers")
    },
  ]

  static let cardChecks: [Check] = [
    Check("put adds cards byte-exactly, and replaces those with the same identity") { bench in
      let first = try await bench.store.put([
        StoredCard(id: "a", payload: [1, 0, 2]), StoredCard(id: "A", payload: []),
      ])
      let second = try await bench.store.put([
        StoredCard(id: "b", payload: [9]), StoredCard(id: "a", payload: [3]),
      ])
      try requireEqual(second.last, first.first, "the number of a replaced card")
      try await bench.reopen()
      let cards = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(cards.map(\.id), ["a", "A", "b"], "cards in the order of numbers")
      try requireEqual(cards.map(\.payload), [[3], [], [9]], "payloads")
      try requireEqual(
        cards.map(\.number), [first.first, first.last, second.first], "numbers in the cards")
      try require(cards.allSatisfy { !$0.isWithdrawn }, "a card that was put is withdrawn")
    },
    Check("a withdrawn card stays as withdrawn, and comes back when it is put again") { bench in
      let numbers = try await bench.store.put([
        StoredCard(id: "a", payload: [1]), StoredCard(id: "b", payload: [2]),
      ])
      try await bench.store.withdraw([numbers[0]])
      try await bench.store.withdraw([numbers[0], CardNumber(77)])
      try await bench.reopen()
      let cards = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(cards.map(\.isWithdrawn), [true, false], "withdrawn")
      try requireEqual(cards.first?.payload, [1], "the payload of a withdrawn card")
      _ = try await bench.store.put([StoredCard(id: "a", payload: [4])])
      let again = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(again.map(\.isWithdrawn), [false, false], "withdrawn after a new put")
      try requireEqual(again.map(\.number), cards.map(\.number), "numbers after a new put")
    },
    Check("revising a card leaves it withdrawn or not, and adds what is new") { bench in
      let numbers = try await bench.store.put([
        StoredCard(id: "a", payload: [1]), StoredCard(id: "b", payload: [2]),
      ])
      try await bench.store.withdraw([numbers[0]])
      let revised = try await bench.store.revise([
        StoredCard(id: "a", number: numbers[0], payload: [3]),
        StoredCard(id: "b", payload: [4], isWithdrawn: true),
        StoredCard(id: "c", payload: [5], isWithdrawn: true),
      ])
      try requireEqual(revised.map { $0?.isWithdrawn }, [true, false, false], "withdrawn")
      try requireEqual(revised.map { $0?.number }.dropLast(), [numbers[0], numbers[1]], "numbers")
      try requireEqual(revised.map { $0?.payload }, [[3], [4], [5]], "payloads")
      try await bench.reopen()
      let cards = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(cards.map(\.id), ["a", "b", "c"], "cards")
      try requireEqual(cards, revised.compactMap(\.self), "cards as they were revised")
    },
    Check("a card that comes back has the payload that the store has") { bench in
      let numbers = try await bench.store.put([
        StoredCard(id: "a", payload: [1]), StoredCard(id: "b", payload: [2]),
      ])
      let viewer = try await bench.number("viewer")
      try await bench.store.withdraw([numbers[0]])
      _ = try await bench.store.revise([StoredCard(id: "a", payload: [3])])
      let back = try await bench.store.reinstate([
        CardNumber(77), numbers[1], numbers[0], viewer,
      ])
      try requireEqual(back, [numbers[1], numbers[0]], "those that are cards")
      try requireEqual(try await bench.store.reinstate([]), [], "nobody")
      try await bench.reopen()
      let cards = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(cards.map(\.isWithdrawn), [false, false], "withdrawn")
      try requireEqual(cards.map(\.payload), [[3], [2]], "payloads")
    },
    Check("a card has changed when its payload is another one, at the time of the put") { bench in
      func time(_ offset: Int64) -> Timestamp { StoreBench.start.advanced(byMilliseconds: offset) }
      let cards = [StoredCard(id: "a", payload: [1]), StoredCard(id: "b", payload: [2])]
      let new = try await bench.store.put(cards, at: time(1))
      try requireEqual(new.map(\.changedAt), [nil, nil], "changes of new cards")
      let numbers = new.compactMap(\.number)
      try requireEqual(try await bench.store.numbers(for: ["a", "b"]), numbers, "numbers")
      let same = try await bench.store.put(cards, at: time(2))
      try requireEqual(same, new, "cards that stay what they were")
      let put = try await bench.store.put([StoredCard(id: "a", payload: [3])], at: time(3))
      try requireEqual(put.map(\.changedAt), [time(3)], "a card that was put")
      let revised = try await bench.store.revise(
        [StoredCard(id: "a", payload: [3]), StoredCard(id: "b", payload: [4])], at: time(4))
      try requireEqual(
        revised.map { $0?.changedAt }, [time(3), time(4)], "cards that were revised")
      // Withdrawn or not, it is the same card; and a clock may go back.
      try await bench.store.withdraw(numbers)
      _ = try await bench.store.reinstate(numbers)
      let late = try await bench.store.put([StoredCard(id: "b", payload: [5])], at: time(2))
      try requireEqual(late.map(\.changedAt), [time(4)], "a card that was put by a late clock")
      try await bench.reopen()
      let kept = try await bench.store.cards(after: nil, limit: 10)
      try requireEqual(kept.map(\.changedAt), [time(3), time(4)], "changes that are kept")
    },
    Check("pages of cards follow the numbers, without gaps or repetitions") { bench in
      // Viewers take numbers too; a page of cards must not be confused by them.
      _ = try await bench.numbers("viewer-1", "late", "viewer-2")
      let ids = (0..<23).map { CardID("card-\($0)") } + ["late"]
      let numbers = try await bench.store.put(ids.map { StoredCard(id: $0, payload: []) })
      var last: CardNumber?
      var collected: [CardNumber] = []
      for _ in 0..<20 {
        let page = try await bench.store.cards(after: last, limit: 5)
        if page.isEmpty { break }
        try require(page.count <= 5, "a page of 5 has \(page.count) cards")
        collected += page.compactMap(\.number)
        last = page.last?.number
      }
      try requireEqual(collected, numbers.sorted(), "all pages together")
    },
    Check("a viewer that was a number first can become a card") { bench in
      let viewer = try await bench.number("ada")
      let card = try await bench.store.put([StoredCard(id: "ada", payload: [1])])
      try requireEqual(card, [viewer], "the number of the card")
    },
  ]
}
