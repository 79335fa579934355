import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The root of this repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program to its end and gives what it printed. Throws, with all that it printed, if it fails. */
export async function run(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, args, { cwd });
    return stdout + stderr;
  } catch (failure) {
    const { stdout = "", stderr = "" } = failure as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr || failure}`);
  }
}

/** Somebody's project in a folder of its own, which installed the tarball that `npm publish` would send. */
export class HostProject {
  readonly folder: string;
  readonly tarball: string;

  private constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  static async create(): Promise<HostProject> {
    const folder = await mkdtemp(join(tmpdir(), "turnwright-host-"));
    await run(ROOT, "npm", "pack", "--pack-destination", folder);
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    const host = new HostProject(folder, join(folder, tarball));
    await host.write("package.json", '{ "name": "host", "private": true, "type": "module" }');
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    await run(folder, "npm", "install", "--prefix", folder, ...quiet, host.tarball);
    return host;
  }

  /** A path in the installed package. */
  path(...parts: readonly string[]): string {
    return join(this.folder, "node_modules/turnwright", ...parts);
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  async node(...args: readonly string[]): Promise<string> {
    return run(this.folder, process.execPath, ...args);
  }

  async turnwright(...args: readonly string[]): Promise<string> {
    return run(this.folder, join(this.folder, "node_modules/.bin/turnwright"), ...args);
  }

  /** Adds a package that this repository has installed, without asking the registry. */
  async link(name: string): Promise<void> {
    const path = join(this.folder, "node_modules", name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), path);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
