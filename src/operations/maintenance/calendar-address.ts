import { randomUUID } from 'node:crypto'
import {
  type OwnRow,
  readSecret,
  replaceSecret,
  type SecretAddress,
} from '../../store/sealing/secret-addresses.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

type Asked = { actor: Actor; record: { id: number } }

/** The operations on the secret address of a calendar. `rowOf` says which row has its token. */
export function calendarAddress(
  address: Extract<SecretAddress, `${string}Calendar`>,
  rowOf: (asked: Asked) => OwnRow,
) {
  return {
    show: {
      async perform({ db, vault, siteUrl }: Services, asked: Asked) {
        const token = await readSecret(db.query, vault, address, rowOf(asked))
        return { body: { data: { url: token && calendarUrl(siteUrl, token) } } }
      },
    },
    create: {
      async perform({ db, vault, siteUrl }: Services, asked: Asked) {
        const token = randomUUID()
        await replaceSecret(db.query, vault, address, rowOf(asked), token)
        return { body: { data: { url: calendarUrl(siteUrl, token) } } }
      },
    },
    remove: {
      async perform({ db, vault }: Services, asked: Asked) {
        await replaceSecret(db.query, vault, address, rowOf(asked), null)
        return {}
      },
    },
  }
}

function calendarUrl(siteUrl: string, token: string): string {
  return `${siteUrl}/calendars/${token}.ics`
}
