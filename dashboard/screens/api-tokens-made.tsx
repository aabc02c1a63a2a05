import type { NewApiToken } from '../../src/core/people.ts'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copy.tsx'

/** The token is shown this once: only its hash is stored. */
export function TokenMade({ made, onDone }: { made: NewApiToken; onDone: () => void }) {
  const example = `curl -H "Authorization: Bearer ${made.token}" ${location.origin}/api/v1/monitors`
  return (
    <div role="status" className="flex flex-col gap-4 p-4">
      <div className="flex flex-col gap-2">
        <p>
          <strong>{made.name}</strong> is ready. Copy the token now: it is shown only this once.
        </p>
        <Copyable text={made.token} label="the token" />
      </div>
      <div className="flex flex-col gap-2">
        <p className="text-soft">Try it: this lists the monitors of the team.</p>
        <Copyable text={example} label="the example" />
      </div>
      <Button className="self-start" onClick={onDone}>
        I have copied it
      </Button>
    </div>
  )
}
