/** How a connection gets to its target, where a monitor says it; empty: as every one does. */
export type DialWay = {
  /** The version of IP. */
  version?: 4 | 6
}
