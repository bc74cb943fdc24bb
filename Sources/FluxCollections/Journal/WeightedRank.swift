/// The previous rank of an item, and the cost of moving the item.
@usableFromInline
struct WeightedRank {
  @usableFromInline let rank: Int
  @usableFromInline let weight: Int

  @usableFromInline
  init(rank: Int, weight: Int) {
    self.rank = rank
    self.weight = weight
  }

  /// Returns an array that indicates for each item of a sequence whether the item belongs to the
  /// heaviest ascending subsequence.
  ///
  /// The ranks of the items must be distinct and less than `ranks`. The method takes O(n log n)
  /// time. The method uses a Fenwick tree that contains the heaviest ascending subsequence for
  /// each range of ranks.
  @usableFromInline
  static func heaviestAscent(in sequence: [WeightedRank], ranks: Int) -> [Bool] {
    var chosen = Array(repeating: false, count: sequence.count)
    var previous = Array(repeating: -1, count: sequence.count)
    var weights = Array(repeating: 0, count: sequence.count)
    // Each entry is the index of the last item of the heaviest ascending subsequence in a range
    // of ranks.
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
