import { PageHead } from '../parts/panel.tsx'

export default function Settings() {
  return <PageHead title="Team" />
}
