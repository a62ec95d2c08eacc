internal import CardFeed

/// A made-up picture of a person or a thing, drawn from its name: the same name, the same picture.
struct Picture {
  let name: String

  /// The picture as SVG, 600 wide and 800 high. Nothing of the name is written into it.
  var svg: String {
    var hash = StableHash()
    hash.combine(Array(name.utf8))
    var random = SplitMix64(seed: hash.value)
    func pick(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(random.next() % UInt64(range.count))
    }
    let hue = pick(0...359)
    let other = (hue + pick(40...120)) % 360
    let isThing = name.hasPrefix("thing-")
    let shape = isThing ? thing(hue, pick(0...3), pick(80...150)) : person(hue, pick)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800">\
      <defs><linearGradient id="g" x1="0" y1="0" x2="\(pick(0...1))" y2="1">\
      <stop offset="0" stop-color="hsl(\(hue) 55% 72%)"/>\
      <stop offset="1" stop-color="hsl(\(other) 50% 42%)"/></linearGradient></defs>\
      <rect width="600" height="800" fill="url(#g)"/>\
      <circle cx="\(pick(40...560))" cy="\(pick(60...300))" r="\(pick(60...140))" \
      fill="hsl(\(other) 60% 85%)" opacity=".35"/>\(shape)</svg>
      """
  }

  private func person(_ hue: Int, _ pick: (ClosedRange<Int>) -> Int) -> String {
    let skin = "hsl(\(pick(18...32)) \(pick(35...60))% \(pick(35...78))%)"
    let hair = "hsl(\(pick(10...45)) \(pick(10...50))% \(pick(12...45))%)"
    let length = pick(0...2) * 90
    let shirt = "hsl(\((hue + 180) % 360) 45% \(pick(30...60))%)"
    return """
      <rect x="170" y="270" width="260" height="\(190 + length)" rx="130" fill="\(hair)"/>\
      <path d="M80 800c0-150 90-240 220-240s220 90 220 240z" fill="\(shirt)"/>\
      <rect x="255" y="480" width="90" height="120" rx="45" fill="\(skin)"/>\
      <ellipse cx="300" cy="400" rx="108" ry="132" fill="\(skin)"/>\
      <path d="M190 370c10-110 210-120 222 0-60-20-80-60-110-60s-60 50-112 60z" fill="\(hair)"/>\
      <circle cx="260" cy="400" r="9"/><circle cx="340" cy="400" r="9"/>\
      <path d="M262 462q38 \(pick(10...34)) 76 0" fill="none" stroke="#000" \
      stroke-opacity=".55" stroke-width="7" stroke-linecap="round"/>
      """
  }

  private func thing(_ hue: Int, _ kind: Int, _ size: Int) -> String {
    let fill = "hsl(\((hue + 200) % 360) 60% 55%)"
    let shade = "hsl(\((hue + 200) % 360) 60% 38%)"
    switch kind {
    case 0:
      return """
        <rect x="\(300 - size)" y="300" width="\(2 * size)" height="280" rx="36" fill="\(fill)"/>\
        <path d="M\(300 + size) 350h40a70 70 0 0 1 0 140h-40" fill="none" stroke="\(shade)" \
        stroke-width="30"/>
        """
    case 1:
      return """
        <path d="M300 240l\(size + 60) 130v200l-\(size + 60) 110-\(size + 60)-110v-200z" \
        fill="\(fill)"/><path d="M300 460l\(size + 60)-90v200l-\(size + 60) 110z" fill="\(shade)"/>
        """
    case 2:
      return """
        <circle cx="300" cy="440" r="\(size + 70)" fill="\(fill)"/>\
        <circle cx="300" cy="440" r="\(size)" fill="\(shade)"/>
        """
    default:
      return """
        <path d="M210 620l40-230h100l40 230z" fill="\(fill)"/>\
        <path d="M300 260c\(size) 0 \(size) 130 0 130s-\(size)-130 0-130z" fill="\(shade)"/>
        """
    }
  }
}
