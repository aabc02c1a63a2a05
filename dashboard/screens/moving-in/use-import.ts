import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { withoutRows } from '../../../src/core/moving-in/choose.ts'
import { begunBy, type Created, countSteps } from '../../../src/core/moving-in/create.ts'
import type { ImportKind } from '../../../src/core/moving-in/kinds.ts'
import type { Matches } from '../../../src/core/moving-in/match.ts'
import { createMissing } from '../../data/moving-in/create-missing.ts'
import { matchNow, type ReadFiles, readExportFiles } from '../../data/moving-in/read-export.ts'

/** An export that was read, beside what the team has. */
export type OpenImport = ReadFiles & { files: readonly string[]; matches: Matches }

/** Reads files, and creates what is missing of them. A second press while the first one works does nothing. */
export function useImport(team: number) {
  const queries = useQueryClient()
  const isBusy = useRef(false)
  const [reading, setReading] = useState<readonly File[] | null>(null)
  const [open, setOpen] = useState<OpenImport | null>(null)
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [created, setCreated] = useState<Created | null>(null)
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null)
  const [trouble, setTrouble] = useState<unknown>(null)

  async function alone(work: () => Promise<void>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setTrouble(null)
    try {
      await work()
    } catch (error) {
      setTrouble(error)
    } finally {
      isBusy.current = false
      setReading(null)
      setProgress(null)
    }
  }

  const read = (service: ImportKind, files: readonly File[]) =>
    alone(async () => {
      setOpen(null)
      setCreated(null)
      setLeftOut(new Set())
      setReading(files)
      const found = await readExportFiles(team, service, files)
      const matches = await matchNow(team, found.outcome)
      setOpen({ ...found, files: files.map(({ name }) => name), matches })
    })

  const apply = () =>
    alone(async () => {
      if (!open) return
      setProgress({ done: 0, all: 0 })
      try {
        // A colleague, or an attempt whose answer was lost, may have created some since.
        const matches = await matchNow(team, open.outcome)
        const wanted = withoutRows(matches, leftOut)
        setOpen({ ...open, matches })
        setProgress({ done: 0, all: countSteps(wanted) })
        const count = () => setProgress((now) => now && { ...now, done: now.done + 1 })
        const made = await createMissing(team, wanted, count, created ? begunBy(created) : undefined)
        setCreated((before) => (before ? joined(before, made) : made))
      } finally {
        await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team })
      }
    })

  function choose(keys: readonly string[], isChosen: boolean): void {
    setLeftOut((before) => {
      const next = new Set(before)
      for (const key of keys) {
        if (isChosen) next.delete(key)
        else next.add(key)
      }
      return next
    })
  }

  return { reading, open, leftOut, created, progress, trouble, read, apply, choose }
}

function joined(before: Created, now: Created): Created {
  return {
    ...now,
    contacts: new Map([...before.contacts, ...now.contacts]),
    monitors: new Map([...before.monitors, ...now.monitors]),
    windows: new Map([...before.windows, ...now.windows]),
    pages: new Map([...before.pages, ...now.pages]),
  }
}
