import CardFeed
import Testing

private func place(_ latitude: Double, _ longitude: Double) throws -> Place {
  try #require(Place(latitude: latitude, longitude: longitude))
}

/// A place anywhere, evenly by area; now and then a pole, the antimeridian, or a place from before.
private struct PlaceGenerator {
  var generator: SplitMix64
  private var earlier: [Place] = []

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func next() throws -> Place {
    let latitudes = [90.0, -90, 0, 89.999, -89.999]
    let longitudes = [180.0, -180, 0, 179.999, -179.999]
    var latitude = (generator.unitInterval() - 0.5) * 180
    var longitude = (generator.unitInterval() - 0.5) * 360
    if generator.index(below: 6) == 0 { latitude = latitudes[generator.index(below: 5)] }
    if generator.index(below: 6) == 0 { longitude = longitudes[generator.index(below: 5)] }
    if generator.index(below: 8) == 0, let known = earlier.last { return known }
    earlier.append(try place(latitude, longitude))
    return try place(latitude, longitude)
  }
}

@Suite("Distances on the earth")
struct DistanceTests {
  /// Half the circumference of a circle of the mean radius, in kilometres.
  private let half = Double.pi * 6371.0088

  @Test("Units are what they are called")
  func units() {
    #expect(Distance.miles(1).metres == 1609.344)
    #expect(abs(Distance.miles(50).kilometres - 80.4672) < 1e-12)
    #expect(Distance.kilometres(50).metres == 50_000)
    #expect(Distance.metres(1609.344).miles == 1)
    #expect(Distance.metres(49_999) <= .kilometres(50))
    #expect(Distance.kilometres(80.4) <= .miles(50))
    #expect(Distance.kilometres(80.5) > .miles(50))
  }

  @Test("Known distances")
  func known() throws {
    let berlin = try place(52.5, 13.4)
    #expect(berlin.distance(to: berlin) == .metres(0))
    // A degree of a great circle is a 180th of half of it, along a meridian and the equator.
    let degree = half / 180
    #expect(try abs(place(10, 20).distance(to: place(11, 20)).kilometres - degree) < 1e-9)
    #expect(try abs(place(0, 179.5).distance(to: place(0, -179.5)).kilometres - degree) < 1e-9)
    #expect(try abs(place(89.5, 0).distance(to: place(89.5, 180)).kilometres - degree) < 1e-9)
    #expect(try abs(place(90, 0).distance(to: place(-90, 77)).kilometres - half) < 1e-3)
    #expect(try place(7, 180).distance(to: place(7, -180)) == .metres(0))
    // Every meridian meets in a pole.
    #expect(try place(90, 0).distance(to: place(90, 120)).metres < 1e-6)
  }

  @Test("The form with the arc cosine is NaN for these; they are near 0 and half the circumference")
  func clamped() throws {
    let twice = try place(40.71199035644531, -74.0081)
    #expect(twice.distance(to: twice).metres == 0)
    let near = try place(60.512651558965445, 6.67020027525723)
      .distance(to: place(60.512651558965445, 6.670200191438198))
    #expect((0.004...0.005).contains(near.metres))
    let far = try place(-12, -94).distance(to: place(12, 86))
    #expect(abs(far.kilometres - 20_015.114) < 0.001)
  }

  @Test("What is not known is not near")
  func unknown() throws {
    let here = try place(52.5, 13.4)
    #expect(Distance.between(here, here) == .metres(0))
    #expect(Distance.between(here, nil) == nil)
    #expect(Distance.between(nil, here) == nil)
    #expect(Distance.between(nil, nil) == nil)
    #expect(ShownDistance(between: here, and: nil) == nil)
  }

  @Test("Symmetric to the bit, never NaN, at most half the circumference, a metric")
  func properties() throws {
    var places = PlaceGenerator(seed: 17)
    for _ in 0..<3000 {
      let (a, b, c) = (try places.next(), try places.next(), try places.next())
      let distance = a.distance(to: b)
      #expect(distance == b.distance(to: a))
      #expect((0...(half + 1e-6)).contains(distance.kilometres))
      #expect(a.distance(to: a).metres == 0)
      #expect(
        distance.metres <= a.distance(to: c).metres + c.distance(to: b).metres + 1)
    }
  }

  @Test("Nothing within the distance lies outside of the box")
  func box() throws {
    var places = PlaceGenerator(seed: 23)
    var inside = 0
    var outside = 0
    for round in 0..<6000 {
      let (a, b) = (try places.next(), try places.next())
      let distance = a.distance(to: b)
      // Exactly on the circle as well as within it, and near places by shrinking the way to them.
      let limit = round % 2 == 0 ? distance : .metres(distance.metres * 1.01 + 1)
      #expect(PlaceBox(around: a, within: limit).contains(b), "\(a) \(b)")
      let narrow = PlaceBox(around: a, within: .kilometres(500))
      if narrow.contains(b) { inside += 1 } else { outside += 1 }
      if distance <= .kilometres(500) { #expect(narrow.contains(b)) }
    }
    #expect(inside > 300 && outside > 3000)
  }

  @Test("Boxes at the antimeridian and the poles")
  func boxEdges() throws {
    let fiji = PlaceBox(around: try place(-17, 179.9), within: .kilometres(50))
    #expect(fiji.longitudes.count == 2)
    #expect(try fiji.contains(place(-17, -179.9)))
    #expect(try !fiji.contains(place(-17, -179)))
    #expect(try !fiji.contains(place(-17, 179)))
    let west = PlaceBox(around: try place(-17, -179.9), within: .kilometres(50))
    #expect(try west.contains(place(-17, 179.9)))
    let pole = PlaceBox(around: try place(89.9, 100), within: .kilometres(100))
    #expect(pole.longitudes == [-180...180])
    #expect(try pole.contains(place(89.9, -100)))
    #expect(pole.latitudes.upperBound == 90)
    let south = PlaceBox(around: try place(-90, 0), within: .kilometres(100))
    #expect(try south.contains(place(-89.9, 100)))
    #expect(try !south.contains(place(-88, 100)))
    let world = PlaceBox(around: try place(0, 0), within: .kilometres(40_000))
    #expect(world.latitudes == -90...90 && world.longitudes == [-180...180])
  }
}

@Suite("Distances as viewers may see them")
struct ShownDistanceTests {
  @Test("Rounded, and never less than the least")
  func rounded() throws {
    let here = try place(52.5, 13.4)
    #expect(ShownDistance(between: here, and: here)?.description == "at most 2 km")
    #expect(ShownDistance(between: here, and: here, in: .miles)?.description == "at most 1 mi")
    let there = try place(52.6, 13.4)
    #expect(try #require(ShownDistance(between: here, and: there)).value == 11)
    #expect(ShownDistance(between: here, and: there, in: .miles)?.description == "7 mi")
  }

  /// Who moves their own place in small steps, and asks each time, learns the cell and no more.
  @Test("No number of questions tells two places of one cell apart")
  func trilateration() throws {
    var generator = SplitMix64(seed: 31)
    for _ in 0..<20 {
      let centre = try place(
        (generator.unitInterval() - 0.5) * 178, (generator.unitInterval() - 0.5) * 358
      ).coarsened(to: .kilometres(1))
      let moved = try place(centre.latitude + 0.003, centre.longitude)
      #expect(moved.coarsened(to: .kilometres(1)) == centre)
      for _ in 0..<200 {
        let asking = try place(
          min(90, max(-90, centre.latitude + (generator.unitInterval() - 0.5))),
          min(180, max(-180, centre.longitude + (generator.unitInterval() - 0.5))))
        #expect(
          ShownDistance(between: asking, and: centre) == ShownDistance(between: asking, and: moved))
      }
    }
  }

  @Test("A coarse place is near, coarse already, and the same for the neighbours in its cell")
  func coarsened() throws {
    var places = PlaceGenerator(seed: 37)
    for _ in 0..<2000 {
      let exact = try places.next()
      for size in [Distance.metres(100), .kilometres(1), .kilometres(50), .kilometres(3000)] {
        let coarse = exact.coarsened(to: size)
        #expect(coarse.coarsened(to: size) == coarse)
        // Half the diagonal of a cell, which near the poles is up to twice as wide.
        #expect(exact.distance(to: coarse).metres <= size.metres * 1.5, "\(exact) \(size)")
      }
    }
    let edge = try place(10, 180).coarsened(to: .kilometres(1))
    #expect(try place(10, -180).coarsened(to: .kilometres(1)) == edge)
  }
}
