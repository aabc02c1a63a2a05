import { PageHead } from '../parts/panel.tsx'

export default function Monitors() {
  return <PageHead title="Monitors" />
}
