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

  async #closeAll(): Promise<void> {
    for (const close of this.#closers.reverse()) await close()
  }
}
