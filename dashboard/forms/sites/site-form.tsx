import { type ReactNode, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { AppliedPolicy } from '../../../src/core/on-call/policy.ts'
import { AREA_NAMES, SiteArea } from '../../../src/core/sites/area.ts'
import type { SiteDetail } from '../../../src/core/sites/shown-site.ts'
import type { Parsed } from '../../../src/core/validation.ts'
import { t } from '../../language/language.ts'
import { Field, INPUT_LOOK, Tick } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { AlertedPanel } from '../alerted-panel.tsx'
import { useBesides } from '../beside.ts'
import { sayContacts } from '../contact-ticks.tsx'
import { idsIn, listedIn } from '../draft.ts'
import { FieldOf } from '../field-of.tsx'
import { FormFrame } from '../form-frame.tsx'
import { usePolicyBeside } from '../on-call/policy-beside.ts'
import { recordParts } from '../record-parts.ts'
import { tagsBeside } from '../tags/tags-beside.ts'
import { TagsField } from '../tags/tags-field.tsx'
import { type Form, useForm } from '../use-form.ts'
import {
  completeAddress,
  judgeSite,
  judgeSitePatch,
  type Limits,
  nameOfAddress,
  SITE_CONTROLS,
  SITE_NAMES,
  type SiteBody,
  siteDraft,
} from './site-fields.ts'
import { SITE_TEXTS } from './site-texts.ts'

const AREA_HINTS = {
  home_page: t('Answers, and not with an error'),
  certificate: t('Valid, trusted and not about to end'),
  dns: t('The name resolves, and its records stay as they are'),
  domain: t('The registration does not end unnoticed'),
  links: t('No broken links'),
  mixed_content: t('No parts over http on pages over https'),
  sitemap: t('Readable, and its pages exist'),
} as const satisfies Record<SiteArea, string>

/** The settings of a site. Without `site`, a new one; of an existing one it sends only what was changed. */
export function SiteForm({
  team,
  site,
  policy,
  contacts,
  limits,
  beside,
  onDone,
}: {
  team: number
  site?: SiteDetail
  /** The policy of an existing site. */
  policy?: AppliedPolicy
  contacts: Contact[]
  limits: Limits
  beside?: ReactNode
  onDone: (site: SiteDetail) => void
}) {
  const { plan } = limits
  const [initial] = useState(() =>
    siteDraft(
      site?.settings ?? {
        home_interval_seconds: Math.max(60, plan.min_interval_seconds),
        max_pages: plan.max_crawl_pages,
      },
    ),
  )
  const parts = recordParts({
    team,
    of: 'Site',
    record: site,
    initial,
    names: SITE_NAMES,
    judge: (draft, before): Parsed<Partial<SiteBody>> =>
      site ? judgeSitePatch(before, draft, limits) : judgeSite(draft, limits),
    controls: SITE_CONTROLS,
    draftOf: ({ settings }) => siteDraft(settings),
    labelOf: (name) => SITE_TEXTS[name as keyof typeof SITE_TEXTS]?.label ?? name,
    say: (name, draft) => (name === 'contact_ids' ? sayContacts(idsIn(draft[name]), contacts) : undefined),
    onDone,
  })
  const form = useForm(
    useBesides(parts, site, [
      tagsBeside(team, 'site', site, site?.tags ?? []),
      usePolicyBeside(team, 'site', policy),
    ]),
  )
  return (
    <FormFrame form={form} verb={site ? t('Save changes') : t('Add site')} beside={beside}>
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          <FieldNamed name="url" form={form} autoFocus={!site} onLeave={() => complete(form)} />
          <FieldNamed name="name" form={form} />
          {site && <FieldNamed name="is_active" form={form} />}
          <TagsField team={team} form={form} />
        </div>
      </Panel>
      <AlertedPanel
        label={SITE_TEXTS.contact_ids.label}
        name="contact_ids"
        team={team}
        {...{ contacts, policy, form }}
      />
      <Panel title={t('Areas')}>
        <div className="flex flex-col gap-4 p-4">
          <AreaTicks form={form} />
          <FieldNamed name="home_interval_seconds" form={form} />
          <FieldNamed name="domain_expires_on" form={form} />
        </div>
      </Panel>
      <Panel title={t('Crawl')}>
        <div className="flex flex-col gap-4 p-4">
          <FieldNamed
            name="max_pages"
            form={form}
            hint={t('1 to {max}, the most on the {plan} plan.', {
              max: plan.max_crawl_pages,
              plan: limits.planName,
            })}
          />
          <FieldNamed name="checks_foreign_links" form={form} />
          <Patterns form={form} />
        </div>
      </Panel>
    </FormFrame>
  )
}

function FieldNamed({
  name,
  form,
  hint,
  ...rest
}: {
  name: keyof typeof SITE_TEXTS
  form: Form
  hint?: string
  autoFocus?: boolean
  onLeave?: () => void
}) {
  const control = SITE_CONTROLS[name]
  const text = { ...SITE_TEXTS[name], ...(hint && { hint }) }
  return control && <FieldOf name={name} control={control} text={text} form={form} {...rest} />
}

function complete(form: Form) {
  const url = completeAddress(String(form.draft.url ?? ''))
  form.set('url', url)
  if (form.draft.name === '') form.set('name', nameOfAddress(url))
}

function AreaTicks({ form }: { form: Form }) {
  const off = listedIn(form.draft.areas_off)
  const faults = form.faults('areas_off')
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{SITE_TEXTS.areas_off.label}</legend>
      {faults && <p className="mb-2 text-sm text-down">{faults.join('; ')}</p>}
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {SiteArea.options.map((area) => (
          <Tick
            key={area}
            label={t(AREA_NAMES[area])}
            hint={AREA_HINTS[area]}
            checked={!off.includes(area)}
            onChange={({ target }) =>
              form.set(
                'areas_off',
                SiteArea.options
                  .filter((one) => (one === area ? !target.checked : off.includes(one)))
                  .join(', '),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

function Patterns({ form }: { form: Form }) {
  const name = 'ignored_patterns'
  return (
    <Field {...SITE_TEXTS.ignored_patterns} faults={form.faults(name)}>
      {(wired) => (
        <textarea
          {...wired}
          rows={4}
          spellCheck={false}
          className={`${INPUT_LOOK} py-2 font-mono text-sm`}
          value={String(form.draft[name] ?? '')}
          onChange={({ target }) => form.set(name, target.value)}
          onBlur={() => form.leave(name)}
        />
      )}
    </Field>
  )
}
