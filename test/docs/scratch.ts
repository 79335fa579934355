import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./pages.ts";

/**
 * Gives a folder inside this package to `use`, and removes it afterwards. Inside, because there `turnwright` is the built
 * package itself.
 */
export async function withScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const ignored = join(ROOT, ".turnwright");
  await mkdir(ignored, { recursive: true });
  const folder = await mkdtemp(join(ignored, "docs-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
