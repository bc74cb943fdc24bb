/// Where something was before, and how much it counts that it keeps its order.
@usableFromInline
struct WeightedRank {
  @usableFromInline let rank: Int
  @usableFromInline let weight: Int

  @usableFromInline
  init(rank: Int, weight: Int) {
    self.rank = rank
    self.weight = weight
  }

  /// Which of a sequence of different ranks below a bound belong to the ascending part of it that weighs
  /// most.
  ///
  /// O(n log n): a Fenwick tree knows the heaviest ascent that ends below a rank.
  @usableFromInline
  static func heaviestAscent(in sequence: [WeightedRank], ranks: Int) -> [Bool] {
    var chosen = Array(repeating: false, count: sequence.count)
    var previous = Array(repeating: -1, count: sequence.count)
    var weights = Array(repeating: 0, count: sequence.count)
    // Each entry: the index in the sequence at which the heaviest ascent within a range of ranks ends.
    var tree = Array(repeating: -1, count: ranks + 1)
    var best = -1
    for (index, item) in sequence.enumerated() {
      var at = item.rank
      while at > 0 {
        let end = tree[at]
        if end >= 0, previous[index] < 0 || weights[end] > weights[previous[index]] { previous[index] = end }
        at -= at & -at
      }
      weights[index] = item.weight + (previous[index] < 0 ? 0 : weights[previous[index]])
      at = item.rank + 1
      while at <= ranks {
        if tree[at] < 0 || weights[tree[at]] < weights[index] { tree[at] = index }
        at += at & -at
      }
      if best < 0 || weights[index] > weights[best] { best = index }
    }
    while best >= 0 {
      chosen[best] = true
      best = previous[best]
    }
    return chosen
  }
}
