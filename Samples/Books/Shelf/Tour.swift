/// The commands that the program runs when there is no input.
package let tour = [
  "help", "shelf", "rename 13 Emma Woodhouse", "fail changes", "remove 26", "all", "remove 3", "fail books",
  "more",
  "more", "fail books", "refresh", "sections", "sections century", "fail songs", "together", "reload",
  "more", "invalidate", "shelf", "more", "slow 20", "reload", "stop", "rename 99 Nothing", "dance", "quit",
]
