import { createHash } from 'node:crypto'
import { putLast } from '../../core/bounded-map.ts'
import { createTurnstile } from '../../core/sharing/share.ts'
import { type JudgedLogo, judgeLogo } from '../../core/status-pages/logo/judge-logo.ts'
import type { LogoType } from '../../core/status-pages/logo/logo.ts'
import type { Query } from '../../postgres/database.ts'
import { readLogo } from '../../store/status-pages/page-secrets.ts'
import { logoDecoder } from './logo-decoder.ts'

const MAX_VERDICTS = 1_000

const decoding = createTurnstile('logos')

/** Verdicts by the hash of the image: a page that is seen often, or made again, costs no decoding. */
const verdicts = new Map<string, Promise<JudgedLogo>>()

/** Judges an image of a team by its content, which is decoded in turns of the teams. */
export function judgeImage(image: Uint8Array, teamId: number): Promise<JudgedLogo> {
  const hash = createHash('sha256').update(image).digest('base64')
  const verdict = verdicts.get(hash) ?? judgeInTurn(image, teamId)
  putLast(verdicts, hash, verdict, MAX_VERDICTS)
  // A failure of ours says nothing about the image.
  verdict.then(
    (judged) => 'isOfMachine' in judged && verdicts.delete(hash),
    () => verdicts.delete(hash),
  )
  return verdict
}

async function judgeInTurn(image: Uint8Array, teamId: number): Promise<JudgedLogo> {
  await decoding.enter(teamId)
  try {
    return await judgeLogo(image, logoDecoder)
  } finally {
    decoding.leave(teamId)
  }
}

/** The logo of a page as it may be shown: one that was stored before it had to pass is judged, too. */
export async function readJudgedLogo(
  query: Query,
  pageId: number,
): Promise<{ image: Buffer; type: LogoType } | null> {
  const logo = await readLogo(query, pageId)
  if (logo === null) return null
  const judged = await judgeImage(logo.image, logo.teamId)
  return 'type' in judged ? { image: logo.image, type: judged.type } : null
}
