import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { MAX_LOGO_BYTES } from '../../core/status-pages/status-page.ts'
import { replaceSecret } from '../../store/sealing/secret-addresses.ts'
import { replaceLogo, replacePagePassword } from '../../store/status-pages/page-secrets.ts'
import { findTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { changePage } from './change-page.ts'
import { judgeImage } from './judged-logo.ts'

export const setStatusPagePassword: Implementation<'setStatusPagePassword'> = {
  async perform(services, { actor, record, body }) {
    // Takes a while: before the page is locked.
    const team = await findTeam(services.db.query, actor.teamId)
    const names = [record.name, record.slug, team?.name ?? '']
    const hash = await hashNewPassword(services, body.password, names)
    return changePage(services, actor, record.id, (query, page) =>
      replacePagePassword(query, actor.teamId, page.id, hash),
    )
  },
}

export const clearStatusPagePassword: Implementation<'clearStatusPagePassword'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, async (query, page) => {
      if (page.isPublished && page.visibility === 'password') {
        throw Refusal.invalid({
          password: [said('must stay while the published page asks for it: change who sees it first')],
        })
      }
      await replacePagePassword(query, actor.teamId, page.id, null)
    })
  },
}

export const setStatusPageLogo: Implementation<'setStatusPageLogo'> = {
  async perform(services, { actor, record, body }) {
    const image = Buffer.from(body.logo, 'base64')
    if (image.length > MAX_LOGO_BYTES) {
      throw Refusal.invalid({
        logo: [
          said('must have at most {max} kB, got {got}', {
            max: MAX_LOGO_BYTES / 1_024,
            got: Math.ceil(image.length / 1_024),
          }),
        ],
      })
    }
    const judged = await judgeImage(image, actor.teamId)
    if ('fault' in judged) throw Refusal.invalid({ logo: [judged.fault] })
    return changePage(services, actor, record.id, (query, page) =>
      replaceLogo(query, actor.teamId, page.id, { image, type: judged.type }),
    )
  },
}

export const clearStatusPageLogo: Implementation<'clearStatusPageLogo'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, (query, page) =>
      replaceLogo(query, actor.teamId, page.id, null),
    )
  },
}

export const rotateStatusPageFeedToken: Implementation<'rotateStatusPageFeedToken'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, async (query, { id }) => {
      await replaceSecret(query, services.vault, 'pageFeed', { teamId: actor.teamId, id }, randomUUID())
    })
  },
}

export const clearStatusPageFeedToken: Implementation<'clearStatusPageFeedToken'> = {
  async perform(services, { actor, record }) {
    return changePage(services, actor, record.id, async (query, { id }) => {
      await replaceSecret(query, services.vault, 'pageFeed', { teamId: actor.teamId, id }, null)
    })
  },
}
