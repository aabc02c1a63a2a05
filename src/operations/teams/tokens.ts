import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'upb_'
const RANDOM_CHARACTERS = 40
const CHECKSUM_CHARACTERS = 6
const ENDING_CHARACTERS = 4

/** Generates a token, recognizable by its prefix and checksum so that scanners can find leaked ones. */
export function generateToken(prefix = PREFIX): string {
  let random = ''
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random += ALPHABET[randomInt(ALPHABET.length)]
  return `${prefix}${random}${checksum(random)}`
}

/** The last characters, by which people tell tokens apart. */
export function endingOf(token: string): string {
  return token.slice(-ENDING_CHARACTERS)
}

/** Whether a token has the right format and checksum. Says nothing about whether it is valid. */
export function isWellFormed(token: string, prefix = PREFIX): boolean {
  const random = token.slice(prefix.length, prefix.length + RANDOM_CHARACTERS)
  return random.length === RANDOM_CHARACTERS && token === `${prefix}${random}${checksum(random)}`
}

/** CRC-32 of the random part in base62, padded on the left. */
export function checksum(random: string): string {
  let value = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    text = ALPHABET[value % ALPHABET.length] + text
    value = Math.floor(value / ALPHABET.length)
  }
  return text
}
