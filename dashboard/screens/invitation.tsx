import { PageHead } from '../parts/panel.tsx'

export default function Invitation() {
  return <PageHead title="Invitation" />
}
