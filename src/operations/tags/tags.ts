import { SUBJECTS } from '../../contract/subjects.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { SubjectKind, SubjectRef } from '../../core/maintenance/subject-kind.ts'
import { MAX_TAGS, MAX_TEAM_TAGS } from '../../core/tags/tag.ts'
import { changedTags, differingTags, TagChange, tagChangeRules } from '../../core/tags/tag-change.ts'
import { sortedTags } from '../../core/tags/tag-text.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { askForTaggedGroups } from '../../store/monitors/groups.ts'
import {
  listTagsInUse,
  lockTagged,
  lockTags,
  listMonitorTags as readMonitorTags,
  readTags,
  saveTags,
} from '../../store/tags/tags.ts'
import type { Actor, Implementation } from '../implementation.ts'
import { followTags } from '../maintenance/follow-tags.ts'
import type { Services } from '../services.ts'
import { followTagsOnPages } from '../status-pages/follow-tags.ts'
import { performOnEach } from '../subjects.ts'

export const listTags: Implementation<'listTags'> = {
  async perform({ db }, { actor: { teamId } }) {
    return { body: { data: await listTagsInUse(db.query, teamId) } }
  },
}

export const listMonitorTags: Implementation<'listMonitorTags'> = {
  async perform({ db }, { actor: { teamId } }) {
    return { body: { data: await readMonitorTags(db.query, teamId) } }
  },
}

export const getMonitorTags: Implementation<'getMonitorTags'> = {
  async perform({ db }, { actor: { teamId }, record }) {
    const tags = await readTags(db.query, teamId, 'monitor', record.id)
    if (!tags) throw new Refusal('notFound')
    return { body: { data: { tags } } }
  },
}

export const subjectTags = performOnEach(SUBJECTS, 'set*Tags', setTags)

async function setTags(
  services: Services,
  { teamId }: Actor,
  { kind, id }: SubjectRef,
  { tags }: { tags: string[] },
) {
  await services.db.query.transaction().execute((query) => {
    return writeTags(services, query, teamId, { kind, ids: [id] }, 'tags', () => tags)
  })
  return { body: { data: { tags } } }
}

/** Changes many subjects at once, all or none; ignores ids that are not the team's. */
export const changeTags: Implementation<'changeTags'> = {
  validate(_services, _asked, body) {
    return parseFields(TagChange, body, tagChangeRules)
  },

  async perform(services, { actor: { teamId }, body }) {
    const changed = await services.db.query.transaction().execute((query) => {
      return writeTags(services, query, teamId, body, 'add', (tags) => changedTags(tags, body))
    })
    return { body: { data: { changed } } }
  },
}

/** Returns how many changed. Refuses, for `field`, what would have too many tags. */
export async function writeTags(
  services: Services,
  query: Query,
  teamId: number,
  { kind, ids }: { kind: SubjectKind; ids: readonly number[] },
  field: string,
  next: (tags: string[]) => string[],
): Promise<number> {
  await lockTags(query, teamId)
  const changed = (await lockTagged(query, teamId, kind, ids)).flatMap((subject) => {
    const tags = next(subject.tags)
    const touched = differingTags(subject.tags, tags)
    return touched.length > 0 ? [{ ...subject, tags, touched }] : []
  })
  const full = changed.find(({ tags }) => tags.length > MAX_TAGS)
  if (full) {
    const message = said('must leave at most {max} tags on each, got {got} on {name}', {
      max: MAX_TAGS,
      got: full.tags.length,
      name: full.name,
    })
    throw Refusal.invalid({ [field]: [message] })
  }
  if (changed.length === 0) return 0
  await saveTags(query, teamId, kind, changed)
  await refuseTooManyTags(query, teamId, field)
  const touched = sortedTags(changed.flatMap((subject) => subject.touched))
  await followTags(services, query, teamId, touched)
  await followTagsOnPages(query, teamId, touched)
  if (kind === 'monitor') await askForTaggedGroups(query, teamId)
  return changed.length
}

async function refuseTooManyTags(query: Query, teamId: number, field: string): Promise<void> {
  const { length } = await listTagsInUse(query, teamId)
  if (length <= MAX_TEAM_TAGS) return
  const message = said('must keep the team at {max} different tags or fewer, got {got}', {
    max: MAX_TEAM_TAGS,
    got: length,
  })
  throw Refusal.invalid({ [field]: [message] })
}
