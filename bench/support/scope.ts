/** Resources to close when a part of the benchmark ends, however it ends: last opened, first closed. */
export class Scope {
  #closers: (() => Promise<void>)[] = []
  #closing: Promise<void> | null = null

  after(close: () => Promise<void>): void {
    this.#closers.push(close)
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  /** One that cannot be closed keeps no other open; its error is thrown at the end. */
  async #closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
