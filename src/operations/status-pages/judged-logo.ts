import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type JudgedLogo, judgeLogo } from '../../core/status-pages/logo/judge-logo.ts'
import type { LogoType } from '../../core/status-pages/logo/logo.ts'
import type { PackedPixels } from '../../core/status-pages/logo/picture.ts'
import type { Query } from '../../postgres/database.ts'
import { readLogo } from '../../store/status-pages/page-secrets.ts'

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/** Judges an image by its content, which is decoded where the format's pixels are packed by zlib. */
export function judgeImage(image: Uint8Array): Promise<JudgedLogo> {
  return judgeLogo(image, unpacks)
}

async function unpacks({ parts, bytes }: PackedPixels): Promise<boolean> {
  try {
    return (await unpack(Buffer.concat(parts), { maxOutputLength: bytes })).length === bytes
  } catch {
    return false
  }
}

/** The logo of a page as it may be shown: one that was stored before it had to pass is judged, too. */
export async function readJudgedLogo(
  query: Query,
  pageId: number,
): Promise<{ image: Buffer; type: LogoType } | null> {
  const logo = await readLogo(query, pageId)
  if (logo === null) return null
  const judged = await judgeImage(logo.image)
  return 'type' in judged ? { image: logo.image, type: judged.type } : null
}
