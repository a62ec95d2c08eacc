import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import Testing

@testable import CardFeedProduct

@Suite("The record of a product")
struct ProductCardTests {
  @Test func aRecordIsReadAndWrittenBack() throws {
    let product = Product(
      id: "p", title: "Oat milk", price: Price(minorUnits: 199, currency: try euro()),
      brand: "Oats", category: ["Food", "Dairy", "Milk"], tags: ["vegan"], stock: 0,
      regions: ["DE", "AT"], repeat: .consumable, rhythmDays: 7.5,
      added: CalendarDate("2026-05-01"), vector: [0.5, -1, 0.25, 3], image: "milk.jpg")
    let deck = ProductDeck(vectorDimension: 4)
    #expect(try deck.decode(deck.encode(product)) == product)
    let least = Product(id: "q", title: "t")
    #expect(try deck.decode(deck.encode(least)) == least)
    #expect(least.json == ["id": "q", "title": "t"])
  }

  @Test(arguments: [
    (#"{"id": "p"}"#, "title"),
    (#"{"title": "t"}"#, "id"),
    (#"{"id": "p", "title": "t", "brnd": "b"}"#, "did you mean \"brand\"?"),
    (#"{"id": "p", "title": "t", "price": 3}"#, "minor_units"),
    (#"{"id": "p", "title": "t", "price": {"minor_units": 1.5, "currency": "EUR"}}"#, "whole"),
    (#"{"id": "p", "title": "t", "price": {"minor_units": -1, "currency": "EUR"}}"#, "amount"),
    (#"{"id": "p", "title": "t", "price": {"minor_units": 1, "currency": "eur"}}"#, "ISO 4217"),
    (#"{"id": "p", "title": "t", "stock": 1.5}"#, "fraction"),
    (#"{"id": "p", "title": "t", "stock": -1}"#, "out of range"),
    (#"{"id": "p", "title": "t", "category": ["a > b"]}"#, "widest"),
    (#"{"id": "p", "title": "t", "repeat": "often"}"#, "durable"),
    (#"{"id": "p", "title": "t", "added": "2026-02-30"}"#, "YYYY-MM-DD"),
    (#"{"id": "p", "title": "t", "vector": [1, 1e300, 0, 0]}"#, "finite"),
    (#"{"id": "p", "title": "t", "vector": [1]}"#, "found 1 numbers; allowed: 4"),
    (#"[]"#, "a product"),
  ]) func whatIsWrongIsSaid(text: String, expected: String) throws {
    let json = try JSONDocument(parsing: Array(text.utf8)).root
    let problem = #expect(throws: CardProblem.self) {
      _ = try ProductDeckPlugin(vectorDimension: 4).card(from: json)
    }
    #expect("\(try #require(problem))".contains(expected))
  }

  @Test func amountsAreWholeMinorUnits() throws {
    func text(_ amount: Int64, _ code: String) throws -> String {
      Price(minorUnits: amount, currency: try #require(Currency(code))).description
    }
    #expect(try text(1999, "EUR") == "19.99 EUR")
    #expect(try text(5, "EUR") == "0.05 EUR")
    #expect(try text(1999, "JPY") == "1999 JPY")
    #expect(try text(1999, "KWD") == "1.999 KWD")
    #expect(Currency("EURO") == nil)
    #expect(Currency("XXX") == nil)
  }

  @Test func categoriesAreColumnsAtEachLevel() throws {
    let feedable = [
      Product(id: "a", title: "a", category: ["Food", "Dairy"]), Product(id: "b", title: "b"),
    ]
    let deck = ProductDeck(vectorDimension: 0)
    let table = CardTable<ProductDeck>.make(
      feedable.enumerated().map { ($1, CardNumber(Int64($0 + 1))) }, deck: deck)
    guard case .tags(let codes, let names)? = table.column("categories"),
      case .category(let paths, let pathNames)? = table.column("category")
    else {
      Issue.record("the columns are missing")
      return
    }
    #expect(codes.map { $0.map { names.names[Int($0)] } } == [["Food", "Food > Dairy"], []])
    #expect(paths.map { $0 < 0 ? nil : pathNames.names[Int($0)] } == ["Food > Dairy", nil])
    #expect(table.column("vector") == nil)
  }

  /// Skipped, disliked and never shown are three states.
  @Test func meaningsOfAnswers() {
    let deck = ProductDeck()
    let expected: [ProductDeck.Answer: AnswerMeaning] = [
      .skip: .neutral, .open: .neutral, .save: .positive, .buy: .positive, .dislike: .negative,
    ]
    for answer in ProductDeck.Answer.allCases {
      #expect(deck.meaning(of: answer) == expected[answer])
    }
  }

  private func euro() throws -> Currency { try #require(Currency("EUR")) }
}
