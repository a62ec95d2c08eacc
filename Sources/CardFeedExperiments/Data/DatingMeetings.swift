/// Meetings of evenings before their pairs have numbers and folds.
struct DatingMeetings {
  struct Meeting {
    let wave: Int
    let woman: Int
    let man: Int
    let womanDecision: Bool
    let manDecision: Bool
    let womanOrder: Int
    let manOrder: Int
  }

  /// The folds of all meetings and decisions, in the order of the rows.
  struct Folds {
    var ofWave: [Int: Int]
    var timeSplit: [Int: SpeedDatingData.TimeSplit]
    var ofPair: [Int]
    var ofDecision: [Int]
  }

  private struct Side {
    let meeting: Int
    let byWoman: Bool
    let key: (wave: Int, rater: Int, target: Int)
  }

  /// By wave, woman, man; a pair's number is its place here.
  private let meetings: [Meeting]
  /// By wave, rater, target.
  private let sides: [Side]

  init(_ unordered: [Meeting]) {
    meetings = unordered.sorted { ($0.wave, $0.woman, $0.man) < ($1.wave, $1.woman, $1.man) }
    var sides: [Side] = []
    for (index, meeting) in meetings.enumerated() {
      let (wave, woman, man) = (meeting.wave, meeting.woman, meeting.man)
      sides.append(Side(meeting: index, byWoman: true, key: (wave, woman, man)))
      sides.append(Side(meeting: index, byWoman: false, key: (wave, man, woman)))
    }
    self.sides = sides.sorted { $0.key < $1.key }
  }

  /// New folds: evenings and time without randomness, pairs and decisions at random, drawn evening
  /// by evening, first those of its pairs, then those of its decisions.
  func drawFolds<Generator: RandomNumberGenerator>(using generator: inout Generator) -> Folds {
    let sizes = Dictionary(meetings.map { ($0.wave, 1) }, uniquingKeysWith: +)
    var folds = Folds(
      ofWave: DatingFolds.waveFolds(sizes: sizes),
      timeSplit: DatingFolds.timeSplit(waves: sizes.keys), ofPair: [], ofDecision: [])
    for (_, size) in sizes.sorted(by: { $0.key < $1.key }) {
      folds.ofPair += DatingFolds.randomFolds(count: size, using: &generator)
      folds.ofDecision += DatingFolds.randomFolds(count: 2 * size, using: &generator)
    }
    return folds
  }

  /// The folds that another data set gives to the same meetings; `nil` when it lacks one.
  func folds(of data: SpeedDatingData) -> Folds? {
    let pairs = Dictionary(data.pairs.map { ([$0.woman, $0.man], $0) }, uniquingKeysWith: { $1 })
    let decisions = Dictionary(
      data.decisions.map { ([$0.rater, $0.target], $0.foldDecision) }, uniquingKeysWith: { $1 })
    var folds = Folds(ofWave: [:], timeSplit: [:], ofPair: [], ofDecision: [])
    for meeting in meetings {
      guard let pair = pairs[[meeting.woman, meeting.man]], pair.wave == meeting.wave else {
        return nil
      }
      folds.ofWave[pair.wave] = pair.foldWave
      folds.timeSplit[pair.wave] = pair.timeSplit
      folds.ofPair.append(pair.foldPair)
    }
    for side in sides {
      guard let fold = decisions[[side.key.rater, side.key.target]] else { return nil }
      folds.ofDecision.append(fold)
    }
    return folds
  }

  /// Adds the rows of pairs and decisions to a draft.
  func add(to draft: inout SpeedDatingDraft, folds: Folds) {
    for (index, meeting) in meetings.enumerated() {
      let pair = SpeedDatingData.Pair(
        id: index, wave: meeting.wave, woman: meeting.woman, man: meeting.man,
        womanDecision: meeting.womanDecision, manDecision: meeting.manDecision,
        timeSplit: folds.timeSplit[meeting.wave] ?? .train,
        foldWave: folds.ofWave[meeting.wave] ?? 0, foldPair: folds.ofPair[index])
      draft.pairs.append(.init(value: pair, line: nil))
    }
    for (index, side) in sides.enumerated() {
      let meeting = meetings[side.meeting]
      let decision = SpeedDatingData.Decision(
        wave: meeting.wave, rater: side.key.rater, target: side.key.target,
        decision: side.byWoman ? meeting.womanDecision : meeting.manDecision,
        pairID: side.meeting, raterGender: side.byWoman ? .woman : .man,
        order: side.byWoman ? meeting.womanOrder : meeting.manOrder,
        foldDecision: folds.ofDecision[index], foldPair: folds.ofPair[side.meeting],
        foldWave: folds.ofWave[meeting.wave] ?? 0)
      draft.decisions.append(.init(value: decision, line: nil))
    }
  }
}
