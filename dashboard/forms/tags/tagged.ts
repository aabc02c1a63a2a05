import * as z from 'zod'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { TagSet } from '../../../src/core/tags/tag.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { whoChanged } from '../collision.ts'
import { controlsOf } from '../controls.ts'
import { changedNames, readDraft } from '../draft.ts'
import type { FormParts } from '../use-form.ts'

export const TAGS = 'tags'

const Tags = z.object({ tags: TagSet })
const TAG_CONTROLS = controlsOf(Tags)

/** A record's own fields, and its tags where they changed. */
type Tagged<Body> = { body: Body; tags: string[] | null }

/**
 * Adds tags to a form. They are not part of the record that is sent: of a new one they are set once it exists. `record`: the
 * one that is edited.
 */
export function useTagged<Body extends object, Answer extends { id: number }>(
  parts: FormParts<Body, Answer>,
  {
    team,
    kind,
    record,
    tags,
  }: { team: number; kind: SubjectKind; record: Answer | undefined; tags: readonly string[] },
): FormParts<Tagged<Body>, Answer> {
  const say = useNotices()
  const setting = operationOf(SUBJECTS, kind, 'set*Tags')
  const { latest } = parts
  return {
    initial: { ...parts.initial, [TAGS]: tags.join(', ') },
    names: [...parts.names, TAGS],
    judge(draft, before) {
      // A new record has none, even where the form begins with those of another.
      const first = record ? before : { [TAGS]: '' }
      const isChanged = changedNames(TAG_CONTROLS, first, draft).length > 0
      const judged = parts.judge(draft, before)
      const read = parseFields(Tags, readDraft(TAG_CONTROLS, draft, [TAGS]))
      if (judged.ok && read.ok)
        return { ok: true, value: { body: judged.value, tags: isChanged ? read.value.tags : null } }
      return { ok: false, errors: { ...faultsOf(judged), ...faultsOf(read) } }
    },
    latest: latest && {
      ...latest,
      controls: { ...latest.controls, ...TAG_CONTROLS },
      read: async () => ({
        ...(await latest.read()),
        [TAGS]: (await readTags(team, kind, record)).join(', '),
      }),
      async who(names) {
        const own = names.filter((name) => name !== TAGS)
        const other = own.length > 0 ? await latest.who(own) : null
        if (other || !record || own.length === names.length) return other
        return whoChanged(team, { id: record.id, actions: [setting] }, [TAGS])
      },
      labelOf: (name) => (name === TAGS ? t('Tags') : latest.labelOf(name)),
    },
    async send({ body, tags: changed }) {
      if (changed === null) return parts.send(body)
      const isOnlyTags = record && Object.keys(body).length === 0
      const answer = isOnlyTags ? record : await parts.send(body)
      const saved = ask(team, setting, { id: answer.id, body: { tags: changed } })
      // A new record is there already: sending it again would make another.
      await (record ? saved : saved.catch(say.problem))
      return answer
    },
    onDone: parts.onDone,
  }
}

function faultsOf(judged: Parsed<unknown>) {
  return judged.ok ? {} : judged.errors
}

async function readTags(
  team: number,
  kind: SubjectKind,
  record: { id: number } | undefined,
): Promise<string[]> {
  if (!record) return []
  const { id } = record
  if (kind === 'monitor') return (await ask(team, 'getMonitorTags', { id })).data.tags
  if (kind === 'server') return (await ask(team, 'getServer', { id })).data.tags
  return (await ask(team, 'getSite', { id })).data.tags
}
