import { useQuery } from '@tanstack/react-query'
import { ChevronDown, X } from 'lucide-react'
import { useId, useState } from 'react'
import {
  ofEachKind,
  SUBJECT_KINDS,
  SUBJECT_NAMES,
  type SubjectKind,
} from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useFoundOfEach } from '../../data/subjects/found-subjects.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../dialog.tsx'
import { INPUT_LOOK, TextField } from '../field.tsx'
import { Waiting } from '../panel.tsx'
import { useSettled } from '../use-settled.ts'

const SHOWN = 20

/** The one subject that a list is about, by the name of its kind; at most one is set. */
export type OneSubject = { [Kind in SubjectKind]?: number | undefined }

/** Chooses the subject whose records a list shows, among thousands. */
export function SubjectFilter({
  team,
  value,
  onChange,
}: {
  team: number
  value: OneSubject
  onChange: (subject: OneSubject) => void
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const name = useNameOf(team, value)
  const isSet = name !== undefined
  function choose(subject: OneSubject) {
    setOpen(false)
    onChange({ ...ofEachKind(() => undefined), ...subject })
  }
  return (
    <div className="min-w-0">
      <span id={id} className="mb-1.5 block font-medium">
        {t('Subject')}
      </span>
      <div className="flex gap-1">
        <button
          type="button"
          aria-labelledby={`${id} ${id}-value`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className={`${INPUT_LOOK} flex h-10 min-w-0 items-center gap-2 text-left max-md:min-h-[44px] max-md:text-(length:--type-touch)`}
        >
          <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
            {isSet ? name : t('Any')}
          </span>
          {!isSet && <ChevronDown aria-hidden size={16} className="shrink-0 text-soft" />}
        </button>
        {isSet && (
          <button
            type="button"
            onClick={() => choose({})}
            className="grid h-10 w-10 shrink-0 place-items-center rounded-md hover:bg-sunken max-md:min-h-[44px]"
          >
            <X aria-hidden size={16} />
            <span className="sr-only">{t('Show all subjects')}</span>
          </button>
        )}
      </div>
      <Dialog title={t('Choose a monitor, server or site')} open={isOpen} onClose={() => setOpen(false)}>
        <Choices team={team} onChoose={choose} />
      </Dialog>
    </div>
  )
}

function Choices({ team, onChoose }: { team: number; onChoose: (subject: OneSubject) => void }) {
  const [text, setText] = useState('')
  const search = useSettled(text.trim())
  const found = useFoundOfEach(team, { search }, SHOWN)
  const all = Object.values(found)
  const error = all.find((one) => one.error)?.error
  const isPending = all.some((one) => one.isPending)
  const kinds = SUBJECT_KINDS.filter((kind) => found[kind].rows.length > 0)
  return (
    <>
      <TextField
        label={t('Search')}
        type="search"
        placeholder={t('Name or address')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="mt-3 max-h-[50dvh] scrolls">
        {error && <p className="text-down">{sayProblem(error)}</p>}
        {isPending && <Waiting lines={3} className="p-0" />}
        {!isPending && !error && kinds.length === 0 && <p className="text-soft">{t('No results.')}</p>}
        {kinds.map((kind) => (
          <section key={kind} aria-label={t(SUBJECT_NAMES[kind])} className="mb-2">
            <h3 className="px-2 py-1 text-sm text-soft">{t(SUBJECT_NAMES[kind])}</h3>
            <ul>
              {found[kind].rows.map(({ id, name, hint }) => (
                <li key={id}>
                  <button
                    type="button"
                    onClick={() => onChoose({ [kind]: id })}
                    className="flex min-h-11 w-full items-center gap-3 rounded-md px-2 text-left hover:bg-sunken"
                  >
                    <span className="min-w-0 flex-1 truncate">{name}</span>
                    {hint && <span className="max-w-[45%] truncate text-sm text-soft">{hint}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

/** Undefined where no subject is chosen; its number until the name is known, and where it is gone. */
function useNameOf(team: number, chosen: OneSubject): string | undefined {
  const kind = SUBJECT_KINDS.find((one) => chosen[one] !== undefined)
  const id = (kind && chosen[kind]) ?? 0
  const { gets, words } = SHOWN_KINDS[kind ?? 'monitor']
  const { data } = useQuery({ ...question(team, gets, { id }), enabled: kind !== undefined })
  return kind && (data?.data.name ?? t(words.unnamed, { id }))
}
