const INITIAL_CAPACITY = 1_024

/**
 * A binary heap of (due, id) on typed arrays: 12 bytes an entry, nothing for the garbage collector.
 * Entries are not removed when a due time changes; the reader skips outdated ones.
 */
export class DueHeap {
  #due = new Float64Array(INITIAL_CAPACITY)
  #ids = new Int32Array(INITIAL_CAPACITY)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** When the earliest entry is due; Infinity when there is none. */
  get earliest(): number {
    return this.#size > 0 ? (this.#due[0] as number) : Number.POSITIVE_INFINITY
  }

  push(due: number, id: number): void {
    if (this.#size === this.#due.length) this.#grow()
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((this.#due[parent] as number) <= due) break
      this.#move(parent, at)
      at = parent
    }
    this.#due[at] = due
    this.#ids[at] = id
  }

  /** Removes the earliest entry and returns its id; undefined when there is none. */
  pop(): number | undefined {
    if (this.#size === 0) return undefined
    const id = this.#ids[0] as number
    const last = --this.#size
    const due = this.#due[last] as number
    const lastId = this.#ids[last] as number
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && (this.#due[child + 1] as number) < (this.#due[child] as number)) child++
      if ((this.#due[child] as number) >= due) break
      this.#move(child, at)
      at = child
    }
    this.#due[at] = due
    this.#ids[at] = lastId
    return id
  }

  #move(from: number, to: number): void {
    this.#due[to] = this.#due[from] as number
    this.#ids[to] = this.#ids[from] as number
  }

  #grow(): void {
    const due = new Float64Array(this.#due.length * 2)
    const ids = new Int32Array(this.#ids.length * 2)
    due.set(this.#due)
    ids.set(this.#ids)
    this.#due = due
    this.#ids = ids
  }
}
