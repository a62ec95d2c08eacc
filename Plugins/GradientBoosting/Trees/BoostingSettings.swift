#if XGBoost
  /// How trees are grown.
  public struct BoostingSettings: Hashable, Sendable {
    /// Questions on the longest way through a tree.
    public var depth = 4
    /// How much of each tree counts.
    public var learningRate = 0.05
    /// The least sum of p · (1 − p) in a leaf.
    public var leastLeafWeight = 5.0
    /// How strongly the numbers of leaves are drawn to 0.
    public var ridge = 2.0
    /// The share of the rows that each tree sees, drawn by `seed`.
    public var rowShare = 0.8
    /// The share of the columns that each tree sees, drawn by `seed`.
    public var columnShare = 0.5
    /// Of everything random.
    public var seed = 7

    /// The defaults.
    public init() {}

    /// What the library calls them. One thread, so that sums have one order and models one form. The
    /// library keeps its generator by thread, and a task may go on in another one after each tree, so
    /// each tree seeds it anew.
    var parameters: [(name: String, value: String)] {
      [
        ("objective", "binary:logistic"), ("booster", "gbtree"), ("tree_method", "hist"),
        ("nthread", "1"), ("verbosity", "0"), ("disable_default_eval_metric", "1"),
        ("max_depth", "\(depth)"), ("eta", "\(learningRate)"),
        ("min_child_weight", "\(leastLeafWeight)"), ("lambda", "\(ridge)"),
        ("subsample", "\(rowShare)"), ("colsample_bytree", "\(columnShare)"), ("seed", "\(seed)"),
        ("seed_per_iteration", "1"),
      ]
    }

    /// Part of an identity.
    var identity: String {
      "depth=\(depth) rate=\(learningRate) leaf=\(leastLeafWeight) ridge=\(ridge) rows=\(rowShare) "
        + "columns=\(columnShare) seed=\(seed)"
    }
  }
#endif
