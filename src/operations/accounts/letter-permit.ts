import type { LetterKind } from '../../core/accounts/mail-kinds.ts'

/** Says that one letter was counted by its bounds. Only letter-permits.ts makes one; a test holds that. */
export class LetterPermit {
  readonly kind: LetterKind
  #isUsed = false

  constructor(kind: LetterKind) {
    this.kind = kind
  }

  get isUsed(): boolean {
    return this.#isUsed
  }

  /** The queue of letters calls it; it throws at a second letter, which was not counted. */
  use(): void {
    if (this.#isUsed) throw new Error(`a permit for one ${this.kind} is used twice`)
    this.#isUsed = true
  }
}
