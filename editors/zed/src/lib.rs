//! Starts `rubric lsp` for Zed.

use std::fs;

use zed::serde_json::{json, Value};
use zed::settings::LspSettings;
use zed_extension_api::{self as zed, LanguageServerId, LanguageServerInstallationStatus, Result};

struct Rubric;

impl zed::Extension for Rubric {
    fn new() -> Self {
        Rubric
    }

    /// Returns the program that the settings name, or `rubric` on PATH, or else that of the latest release.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = match binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = match path.or_else(|| worktree.which("rubric")) {
            Some(path) => path,
            None => download(id)?,
        };
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_string()]),
            env: worktree.shell_env(),
        })
    }

    /// Returns the settings under `lsp.rubric.settings` in the section that the server asks for.
    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(Some(json!({ "rubric": settings.unwrap_or(json!({})) })))
    }
}

/// Installs the program of the latest release, if it is not installed yet, and returns its path.
fn download(id: &LanguageServerId) -> Result<String> {
    let status = LanguageServerInstallationStatus::CheckingForUpdate;
    zed::set_language_server_installation_status(id, &status);
    let options = zed::GithubReleaseOptions {
        require_assets: true,
        pre_release: false,
    };
    let release = zed::latest_github_release("rubric-ls/rubric", options)?;
    let version = release.version.trim_start_matches('v');
    let name = archive(version)?;
    let folder = format!("rubric-{version}");
    let path = format!(
        "{folder}/{}",
        if name.ends_with(".zip") {
            "rubric.exe"
        } else {
            "rubric"
        }
    );
    if fs::metadata(&path).is_ok_and(|file| file.is_file()) {
        return Ok(path);
    }
    let asset = release
        .assets
        .iter()
        .find(|asset| asset.name == name)
        .ok_or_else(|| format!("release {version} of rubric has no {name}"))?;
    let status = LanguageServerInstallationStatus::Downloading;
    zed::set_language_server_installation_status(id, &status);
    let kind = if name.ends_with(".zip") {
        zed::DownloadedFileType::Zip
    } else {
        zed::DownloadedFileType::GzipTar
    };
    zed::download_file(&asset.download_url, &folder, kind)?;
    zed::make_file_executable(&path)?;
    // Older releases are not needed any more.
    for entry in fs::read_dir(".").map_err(|err| err.to_string())?.flatten() {
        let other = entry.file_name();
        if other != folder.as_str() && other.to_string_lossy().starts_with("rubric-") {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
    Ok(path)
}

/// Returns the name of a release's archive for this machine.
fn archive(version: &str) -> Result<String> {
    let (os, arch) = zed::current_platform();
    let (os, ending) = match os {
        zed::Os::Mac => ("darwin", "tar.gz"),
        zed::Os::Linux => ("linux", "tar.gz"),
        zed::Os::Windows => ("windows", "zip"),
    };
    let arch = match arch {
        zed::Architecture::Aarch64 => "arm64",
        zed::Architecture::X8664 => "amd64",
        zed::Architecture::X86 => {
            return Err("rubric has no release for 32-bit machines".to_string())
        }
    };
    Ok(format!("rubric_{version}_{os}_{arch}.{ending}"))
}

zed::register_extension!(Rubric);
