"""X.509 certificates of a cluster: an authority that signs one certificate, and their checks.

This module needs the extra ``cluster``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: How far the clocks of a cluster's machines may differ.
_SKEW = timedelta(days=1)


@dataclass(frozen=True)
class Pem:
    """The files that each member of a cluster holds, in PEM.

    Attributes
    ----------
    ca : bytes
        The authority's certificate. Its key is not kept, so that nothing else can be signed.
    cert : bytes
        The certificate that every member presents.
    key : bytes
        That certificate's private key.
    """

    ca: bytes
    cert: bytes
    key: bytes


def new_certificate(until: datetime) -> Pem:
    """Return a new authority and the one certificate that it signs, valid from now on."""
    authority, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    since = min(datetime.now(UTC), until) - _SKEW
    issuer = _name("coursekit cluster authority")
    identifier = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    ca = (
        _builder(issuer, authority, since, until)
        .issuer_name(issuer)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(authority, hashes.SHA256())
    )
    both_ends = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    cert = (
        _builder(_name("coursekit cluster"), own, since, until)
        .issuer_name(issuer)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(both_ends), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier),
            critical=False,
        )
        .sign(authority, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return Pem(ca.public_bytes(pem), cert.public_bytes(pem), own.private_bytes(pem, *plain))


def fault(pem: Pem) -> tuple[str, str]:
    """Return the field of `Pem` that is wrong and the reason; two empty strings if none is."""
    certificates = []
    for field in ("ca", "cert"):
        try:
            certificates.append(x509.load_pem_x509_certificate(getattr(pem, field)))
        except ValueError:
            return field, "is not a certificate in PEM"
    ca, cert = certificates
    try:
        key = serialization.load_pem_private_key(pem.key, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return "key", "is not a private key in PEM without a password"
    if key.public_key() != cert.public_key():
        return "key", "does not belong to the certificate beside it"
    try:
        cert.verify_directly_issued_by(ca)
    except (ValueError, TypeError, InvalidSignature):
        return "cert", "was not signed by the authority beside it"
    return _out_of_date(cert)


def _out_of_date(cert: x509.Certificate) -> tuple[str, str]:
    since, until, now = cert.not_valid_before_utc, cert.not_valid_after_utc, datetime.now(UTC)
    if since <= now <= until:
        return "", ""
    return "cert", f"is valid from {since:%Y-%m-%d} to {until:%Y-%m-%d}; today is {now:%Y-%m-%d}"


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, key: ec.EllipticCurvePrivateKey, since: datetime, until: datetime
) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
