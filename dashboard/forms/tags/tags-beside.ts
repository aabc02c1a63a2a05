import * as z from 'zod'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { TagSet } from '../../../src/core/tags/tag.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import type { Beside } from '../beside.ts'
import { controlsOf } from '../controls.ts'
import { changedNames, readDraft } from '../draft.ts'

export const TAGS = 'tags'

const Tags = z.object({ tags: TagSet })
const TAG_CONTROLS = controlsOf(Tags)

/** The tags of a subject. A new one has none, even where the form begins with those of another. */
export function tagsBeside(
  team: number,
  kind: SubjectKind,
  record: { id: number } | undefined,
  tags: readonly string[],
): Beside {
  const setting = operationOf(SUBJECTS, kind, 'set*Tags')
  return {
    name: TAGS,
    label: t('Tags'),
    controls: TAG_CONTROLS,
    held: tags.join(', '),
    setting,
    judge(held = '', before = '') {
      const draft = { [TAGS]: held }
      const read = parseFields(Tags, readDraft(TAG_CONTROLS, draft, [TAGS]))
      if (!read.ok) return read
      const isChanged = changedNames(TAG_CONTROLS, { [TAGS]: record ? before : '' }, draft).length > 0
      return { ok: true, value: isChanged ? (id) => ask(team, setting, { id, body: read.value }) : null }
    },
    read: async (id) => (await readTags(team, kind, id)).join(', '),
  }
}

async function readTags(team: number, kind: SubjectKind, id: number): Promise<string[]> {
  // Monitors of the public API say no tags.
  if (kind === 'monitor') return (await ask(team, 'getMonitorTags', { id })).data.tags
  return (await ask(team, SHOWN_KINDS[kind].gets, { id })).data.tags
}
