public import CardFeed

extension SocialRelationsProbability {
  /// What is not known of the two people; without people, what is not known of the weights.
  public var uncertainty: MatchUncertainty {
    guard settings.hasPeople else {
      return .standardError(
        covers:
          "what is not known of weights and bases; that people differ beyond their profiles is "
          + "not covered")
    }
    return .standardError(
      covers: "what is not known of the two people's effects; bases and weights count as known")
  }

  /// The log-odds of both sides, part by part. O(candidates · features). Nothing without a model.
  public func reasons(for slate: Slate<DatingDeck>) async throws -> [EstimatePart] {
    guard let model = slot.model else { return [] }
    let reader = SocialRelationsReader(model, table: slate.table, now: slate.context.now)
    let viewer = reader.viewer(slate.context)
    let cards = slate.rows.map(reader.person)
    let isKnown = cards.map { unknown == .prior || (viewer.isKnown && $0.isKnown) }
    func part(
      _ name: String, _ value: (SocialRelationsReader.Person) -> Double
    ) -> EstimatePart {
      EstimatePart(
        name: name, values: cards.indices.map { isKnown[$0] ? value(cards[$0]) : .nan })
    }
    var parts = [
      part("viewer-base") { _ in viewer.base },
      part("viewer-features") { reader.comparison(viewer, $0) },
      part("card-base") { $0.base },
      part("card-features") { reader.comparison($0, viewer) },
    ]
    if settings.hasPeople {
      parts += [
        part("viewer-actor") { _ in viewer.effects.actor },
        part("card-partner") { $0.effects.partner },
        part("card-actor") { $0.effects.actor },
        part("viewer-partner") { _ in viewer.effects.partner },
      ]
    }
    return parts
  }
}
