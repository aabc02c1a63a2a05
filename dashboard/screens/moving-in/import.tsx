import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { IMPORT_KINDS, IMPORT_NAMES, type ImportKind } from '../../../src/core/moving-in/kinds.ts'
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_MIB, MAX_UPLOADED_FILES } from '../../../src/core/moving-in/upload.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { useDocs } from '../../data/account.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { LeaveGuard } from '../../forms/form-frame.tsx'
import { rich, t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { buttonLook, Spinner } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { ForWriters } from '../../parts/records/form-screen.tsx'
import { ImportReport } from './import-report.tsx'
import { useImport } from './use-import.ts'

/** Takes over what another tool has, from its export. */
export default function Import() {
  const { id, name, may } = useTeam()
  const params = { team: String(id) }
  const team = useQuery({ ...question(id, 'getTeam', {}), refetchOnMount: 'always' })
  return (
    <>
      <PageHead
        title={t('Import from another tool')}
        actions={
          may('write') && (
            <Link to="/teams/$team/monitors" params={params} className={buttonLook('quiet')}>
              {t('View monitors')}
            </Link>
          )
        }
      >
        {t('Choose its export, and see what would be created before anything is.')}
      </PageHead>
      <ForWriters
        back={{ to: '/teams/$team/monitors', params }}
        view={t('View monitors')}
        readOnly={t('Ask an owner or admin of {name} to add the monitors.', { name })}
        needs={{ team }}
      >
        {(asked) => <Steps team={asked.team.data} />}
      </ForWriters>
    </>
  )
}

/** Which files of each tool are read. */
const TOOLS: Record<ImportKind, { files: () => string; accept: string }> = {
  'uptime-kuma': {
    files: () =>
      t(
        'kuma.db from its data folder, together with kuma.db-wal where there is one; or the JSON of Settings → Backup of a version 1.',
      ),
    accept: '.db,.sqlite,.json,.db-wal,.db-shm',
  },
  gatus: {
    files: () => t('config.yaml, or all files of its folder, with values in the place of variables.'),
    accept: '.yaml,.yml',
  },
  healthchecks: {
    files: () => t('The answers of its API about checks and channels, as JSON.'),
    accept: '.json',
  },
  uptimerobot: {
    files: () => t('The answers of its API as JSON, or the CSV of its dashboard.'),
    accept: '.json,.csv',
  },
  postman: {
    files: () =>
      t('Collections of format 2.1, and environments that hold the values of their variables, as JSON.'),
    accept: '.json',
  },
}

function Steps({ team }: { team: Team }) {
  const docs = useDocs('/moving-in')
  const imported = useImport(team.id)
  const { reading, open, progress, trouble } = imported
  const [service, setService] = useState<ImportKind>('uptime-kuma')
  const [unfit, setUnfit] = useState<string | null>(null)
  const isBusy = reading !== null || progress !== null
  // A file of another tool is read as what it is.
  const known = open?.service ?? service

  function take(given: File[]) {
    // The log of a database is empty once all of it is in the database.
    const files = given.filter(({ name, size }) => size > 0 || !/-(?:wal|shm)$/.test(name))
    const fault = faultOf(files)
    setUnfit(fault)
    if (fault === null) void imported.read(service, files)
  }

  return (
    <div className="flex flex-col gap-5">
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          <SelectField
            label={t('Export of')}
            className="max-w-xs"
            value={known}
            disabled={isBusy}
            hint={TOOLS[known].files()}
            onChange={({ target }) => setService(target.value as ImportKind)}
          >
            {IMPORT_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {IMPORT_NAMES[kind]}
              </option>
            ))}
          </SelectField>
          <FileDrop label={t('Choose files')} accept={ACCEPTED} many disabled={isBusy} onFiles={take} />
          <p className="text-sm text-soft">
            {rich(
              'Upbeat reads the files and does not keep them. Passwords and tokens in them become those of monitors and contacts. <link>The guide</link> lists what is taken over.',
              {
                link: (inside) => (
                  <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
                    {inside}
                  </a>
                ),
              },
            )}
          </p>
          <p role="status" className="min-w-0 break-words">
            {reading ? (
              <span className="inline-flex items-center gap-2">
                <Spinner />
                {t('Reading {files}…', { files: namesOf(reading) })}
              </span>
            ) : (
              open && t('Read: {files}', { files: sayList(open.files) })
            )}
          </p>
          {(unfit !== null || trouble !== null) && (
            <p role="alert" className="break-words text-down">
              {unfit ?? sayProblem(trouble)}
            </p>
          )}
        </div>
      </Panel>
      {open && <ImportReport team={team} imported={imported} open={open} />}
      <LeaveGuard form={{ isDirty: { current: isBusy } }} />
    </div>
  )
}

const ACCEPTED = Object.values(TOOLS)
  .map(({ accept }) => accept)
  .join()

/** The fault of files that are not worth sending. */
function faultOf(files: readonly File[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const empty = files.find(({ size }) => size === 0)
  if (empty) return t('{file} is empty.', { file: empty.name })
  if (files.length > MAX_UPLOADED_FILES)
    return t('Choose at most {max, number} files.', { max: MAX_UPLOADED_FILES })
  if (bytes <= MAX_UPLOAD_BYTES) return null
  return t(
    '{files}: larger than {max} MiB. Remove old results first (in Uptime Kuma: “Clear all statistics”), or import on the command line.',
    { files: namesOf(files), max: MAX_UPLOAD_MIB },
  )
}

function namesOf(files: readonly File[]): string {
  return sayList(files.map(({ name }) => name))
}
