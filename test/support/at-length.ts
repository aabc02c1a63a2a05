import { describe, it } from 'node:test'

/** In a set of the longer tests, which has time for all of what `npm test` tries a sample of. */
export const AT_LENGTH = process.env.TEST_AT_LENGTH === 'yes'

const elsewhere = () => Promise.resolve()

/** Tests that only a longer set has: a file of test/long imports theirs. */
export const itAtLength = AT_LENGTH ? it : elsewhere
export const describeAtLength = AT_LENGTH ? describe : elsewhere

/** All cases at length, else the first ones. */
export function sample<Case>(cases: readonly Case[], size: number): readonly Case[] {
  return AT_LENGTH ? cases : cases.slice(0, size)
}
