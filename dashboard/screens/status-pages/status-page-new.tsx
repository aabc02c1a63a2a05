import { useRef, useState } from 'react'
import * as z from 'zod'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import {
  ofEachField,
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
  withoutField,
} from '../../../src/core/maintenance/subject-kind.ts'
import { RecordId } from '../../../src/core/record-id.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { MAX_COMPONENTS, StatusPage } from '../../../src/core/status-pages/status-page.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { type Draft, draftOf, readDraft } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { addSubjects, type LayoutDraft, layoutOf } from '../../forms/status-pages/layout-draft.ts'
import { PAGE_TEXTS } from '../../forms/status-pages/page-fields.ts'
import { slugFor } from '../../forms/status-pages/slug.ts'
import { SubjectPicker } from '../../forms/subject-picker.tsx'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Tick } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type GivenForm, NewScreen } from '../../parts/records/form-screen.tsx'

/** A first page in one form: its settings have their defaults, and can be changed on its own screens. */
const FirstPage = StatusPage.pick({ name: true, slug: true, description: true }).extend({
  ...ofEachField('_ids', () => z.array(RecordId).max(MAX_COMPONENTS).default([])),
  is_published: z.boolean().default(true),
})
type FirstPage = z.infer<typeof FirstPage>

const CONTROLS = controlsOf(FirstPage)
const NAMES = Object.keys(CONTROLS)

export default function StatusPageNew() {
  const { id, name } = useTeam()
  const team = String(id)
  return (
    <NewScreen
      className="mx-auto max-w-3xl"
      title={t('New status page')}
      about={t('Everything can be changed later: order, groups, who sees it, its look and its own domain.')}
      back={{ to: '/teams/$team/status-pages', params: { team } }}
      view={t('View status pages')}
      readOnly={t('Ask an owner or admin of {name} to make one.', { name })}
      needs={{}}
      said={(page: StatusPageDetail) =>
        t(page.is_published ? '{name} published.' : '{name} created.', { name: page.name })
      }
      to={(page) => ({ to: '/teams/$team/status-pages/$page', params: { team, page: String(page.id) } })}
    >
      {(_, form) => <NewPage team={id} {...form} />}
    </NewScreen>
  )
}

function NewPage({ team, beside, onDone }: { team: number } & GivenForm<StatusPageDetail>) {
  const say = useNotices()
  const [initial] = useState(() => draftOf(CONTROLS))
  const names = useRef(ofEachKind(() => new Map<number, string>()))
  const remember = (kind: SubjectKind) => (more: readonly SubjectName[]) => {
    for (const { id, name } of more) names.current[kind].set(id, name)
  }
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => parseFields(FirstPage, readDraft(CONTROLS, draft, NAMES)),
    send: (body: FirstPage) => createPage(team, body, names.current, say.problem),
    onDone,
  })

  /** The proposed address follows the name until somebody types another. */
  function nameIt(draft: Draft) {
    const isProposed = draft.slug === '' || draft.slug === slugFor(String(form.draft.name))
    form.set('name', draft.name ?? '')
    if (isProposed) form.set('slug', slugFor(String(draft.name)))
  }

  return (
    <FormFrame form={form} verb={t('Create page')} beside={beside}>
      <Panel title={t('About')}>
        <div className="flex flex-col gap-4 p-4">
          <FieldOf
            name="name"
            control={CONTROLS.name}
            text={PAGE_TEXTS.name}
            form={{ ...form, set: (name, held) => nameIt({ ...form.draft, [name]: held }) }}
          />
          <FieldOf
            name="slug"
            control={CONTROLS.slug}
            text={{
              ...PAGE_TEXTS.slug,
              hint: `${location.origin}/status/${String(form.draft.slug) || '…'}. ${PAGE_TEXTS.slug.hint}`,
            }}
            form={form}
          />
          <FieldOf
            name="description"
            control={CONTROLS.description}
            text={PAGE_TEXTS.description}
            form={form}
          />
        </div>
      </Panel>
      <Panel title={t('Monitors, servers and sites')}>
        <div className="flex flex-col gap-4 p-4">
          <p className="text-soft">
            {t('Each becomes a component with its name. Visitors see neither addresses nor errors.')}
          </p>
          {SUBJECT_KINDS.map((kind) => (
            <SubjectPicker
              key={kind}
              kind={kind}
              team={team}
              form={form}
              named={[]}
              max={MAX_COMPONENTS}
              onAdd={remember(kind)}
            />
          ))}
        </div>
      </Panel>
      <Panel className="p-4">
        <Tick
          label={t('Publish it at once')}
          hint={t('Everyone who knows the address sees it. Otherwise only members of the team do.')}
          checked={form.draft.is_published === true}
          onChange={({ target }) => form.set('is_published', target.checked)}
        />
      </Panel>
    </FormFrame>
  )
}

/** Only the first step can be refused for what was typed: later ones are told, and can be made on the page itself. */
async function createPage(
  team: number,
  { is_published, ...given }: FirstPage,
  names: Record<SubjectKind, Map<number, string>>,
  onProblem: (error: unknown) => void,
): Promise<StatusPageDetail> {
  let page = (await ask(team, 'createStatusPage', { body: withoutField('_ids', given) })).data
  const { id } = page
  try {
    const layout = SUBJECT_KINDS.reduce<LayoutDraft>((draft, kind) => {
      const nameOf = (one: number) => names[kind].get(one) ?? `${kind} ${one}`
      const named = given[`${kind}_ids`].map((one) => ({ id: one, name: nameOf(one) }))
      return addSubjects(draft, kind, named)
    }, [])
    if (layout.length > 0) {
      page = (await ask(team, 'saveStatusPageLayout', { id, body: layoutOf(layout) })).data
    }
    if (is_published) page = (await ask(team, 'publishStatusPage', { id })).data
  } catch (error) {
    onProblem(error)
  }
  return page
}
